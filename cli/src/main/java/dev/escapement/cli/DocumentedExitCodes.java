package dev.escapement.cli;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The exit codes that a command's help lists. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface DocumentedExitCodes {

    /** Of {@link ExitCodes}. */
    int[] value();
}
