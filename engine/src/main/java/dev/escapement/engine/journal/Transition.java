package dev.escapement.engine.journal;

import dev.escapement.engine.port.StoreWrite;
import dev.escapement.governor.ledger.ExecutionRef;
import java.time.Instant;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A change of an execution or a target, for the audit trail, events, metrics and the log.
 *
 * @param execution empty if the transition concerns a target alone
 * @param workflow of the execution; empty if the transition concerns a target alone
 * @param target canonical, or as written if it is not valid
 * @param reason a code; empty if the transition needs none
 * @param message for a person
 * @param details by the keys of {@link TransitionDetail}
 */
public record Transition(
        TransitionType type,
        Instant at,
        Optional<ExecutionRef> execution,
        String workflow,
        String target,
        String reason,
        String message,
        SortedMap<String, String> details) {

    public Transition {
        details = Collections.unmodifiableSortedMap(new TreeMap<>(details));
    }

    /** Returns the transition that a write makes, if any. A pure function of the write. */
    public static Optional<Transition> of(StoreWrite write) {
        return TransitionFactory.of(write);
    }

    public Optional<String> detail(TransitionDetail key) {
        return Optional.ofNullable(details.get(key.key()));
    }

    Transition withDetail(TransitionDetail key, String value) {
        TreeMap<String, String> more = new TreeMap<>(details);
        more.put(key.key(), value);
        return new Transition(type, at, execution, workflow, target, reason, message, more);
    }

    Transition withDetail(TransitionDetail key, Optional<?> value) {
        return value.map(given -> withDetail(key, given.toString())).orElse(this);
    }

    Transition withReason(String code) {
        return new Transition(type, at, execution, workflow, target, code, message, details);
    }
}
