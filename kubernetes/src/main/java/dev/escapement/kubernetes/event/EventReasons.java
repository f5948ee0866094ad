package dev.escapement.kubernetes.event;

import dev.escapement.engine.journal.TransitionType;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** The reasons and types of all Events that Escapement creates. */
public final class EventReasons {

    static final String HELD_UP = "HeldUp";
    static final String POLICY_REFUSED = "PolicyRefused";
    static final String WARNING = "Warning";
    private static final String NORMAL = "Normal";
    private static final Set<TransitionType> WARNING_TRANSITIONS =
            Set.of(TransitionType.WorkflowFailed, TransitionType.WorkflowSkipped);

    private EventReasons() {}

    static String eventType(TransitionType transition) {
        return WARNING_TRANSITIONS.contains(transition) ? WARNING : NORMAL;
    }

    public static Map<String, String> typesByReason() {
        Map<String, String> types = new LinkedHashMap<>();
        for (TransitionType transition : TransitionType.values()) {
            types.put(transition.name(), eventType(transition));
        }
        types.put(HELD_UP, WARNING);
        types.put(POLICY_REFUSED, WARNING);
        return Collections.unmodifiableMap(types);
    }
}
