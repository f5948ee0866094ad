package dev.escapement.server.config;

import dev.escapement.governor.Policy;
import java.util.Map;
import java.util.function.Supplier;

/** Supplies the policy of the gate, which may change while the program runs. */
public interface PolicySource extends Supplier<Policy> {

    /** Returns the policy as JSON: its values, their origins, since when, and the last rejected change. */
    Map<String, Object> document();
}
