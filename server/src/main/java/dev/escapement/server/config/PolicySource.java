package dev.escapement.server.config;

import dev.escapement.governor.Policy;
import java.util.Map;
import java.util.function.Supplier;

/** The gate's rules, which may change while the program runs. */
public interface PolicySource extends Supplier<Policy> {

    /** The rules as texts, where each comes from, since when, and the last attempt that was refused. */
    Map<String, Object> document();
}
