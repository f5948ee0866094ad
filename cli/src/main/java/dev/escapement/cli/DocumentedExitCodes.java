package dev.escapement.cli;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Lists the exit codes of a command for its help. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface DocumentedExitCodes {

    /** Constants of {@link ExitCodes}. */
    int[] value();
}
