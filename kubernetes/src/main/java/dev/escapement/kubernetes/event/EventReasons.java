package dev.escapement.kubernetes.event;

import dev.escapement.engine.journal.TransitionType;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** The reasons of the Events that are written here, and how bad each is: all transitions, and what is none. */
public final class EventReasons {

    static final String HELD_UP = "HeldUp";
    static final String POLICY_REFUSED = "PolicyRefused";
    static final String WARNING = "Warning";
    private static final String NORMAL = "Normal";
    private static final Set<TransitionType> WARNING_TRANSITIONS =
            Set.of(TransitionType.WorkflowFailed, TransitionType.WorkflowSkipped);

    private EventReasons() {}

    /** The type of the Event that tells a transition. */
    static String eventType(TransitionType transition) {
        return WARNING_TRANSITIONS.contains(transition) ? WARNING : NORMAL;
    }

    /** The types of all Events by their reasons. */
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
