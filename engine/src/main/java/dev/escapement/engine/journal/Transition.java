package dev.escapement.engine.journal;

import static java.util.Objects.requireNonNull;

import dev.escapement.engine.port.StoreWrite;
import dev.escapement.governor.ledger.ExecutionRef;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One thing that happened, for the audit trail, the live events, the metrics and the log.
 *
 * @param type what
 * @param at when
 * @param execution of which execution; empty if it is about a target alone
 * @param workflow what that execution runs; empty if it is about a target alone
 * @param target the canonical target, or what somebody wrote in its place
 * @param reason why, as a code; empty where there is nothing to give a reason for
 * @param message for a person
 * @param details what else is known, by the keys of {@link TransitionDetail}
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

    /** Copies the map. */
    public Transition {
        requireNonNull(type, "type is null");
        requireNonNull(at, "at is null");
        requireNonNull(execution, "execution is null");
        requireNonNull(workflow, "workflow is null");
        requireNonNull(target, "target is null");
        requireNonNull(reason, "reason is null");
        requireNonNull(message, "message is null");
        details = Collections.unmodifiableSortedMap(new TreeMap<>(details));
    }

    /** What a write means to people; empty if nothing that they should hear of. A pure function of the write. */
    public static Optional<Transition> of(StoreWrite write) {
        return TransitionFactory.of(write);
    }

    /** One of the details. */
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

    static Transition of(
            TransitionType type, Instant at, ExecutionRef execution, String workflow, String target, String message) {
        return new Transition(type, at, Optional.of(execution), workflow, target, "", message, new TreeMap<>(Map.of()));
    }

    Transition withReason(String code) {
        return new Transition(type, at, execution, workflow, target, code, message, details);
    }
}
