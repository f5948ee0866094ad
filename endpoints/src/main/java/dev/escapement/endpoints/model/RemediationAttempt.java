package dev.escapement.endpoints.model;

import java.time.Instant;
import java.util.Optional;

/**
 * What became of the last wish for a remediation.
 *
 * @param runNumber the number of the run whose failure brought it about
 * @param at when
 * @param state what became of it
 * @param executionName the name of the last execution that was asked for, now or before, if one was
 * @param namespace where that execution is; empty if it is where the endpoint's remediations are
 * @param reason why not, in words of the gate; empty if it was asked for
 * @param blockedUntil when the gate may think otherwise, if it says so
 */
public record RemediationAttempt(
        long runNumber,
        Instant at,
        State state,
        Optional<String> executionName,
        Optional<String> namespace,
        String reason,
        Optional<Instant> blockedUntil) {

    /** One whose execution, if there is one, is where the endpoint's remediations are. */
    public RemediationAttempt(
            long run, Instant at, State state, Optional<String> execution, String reason, Optional<Instant> until) {
        this(run, at, state, execution, Optional.empty(), reason, until);
    }

    /** What became of it. */
    public enum State {
        /** An execution was created; what became of that is its own story. */
        REQUESTED,
        /** The gate would refuse now: one is active, cooling down or blocked. The next failure asks again. */
        HELD_BACK,
        /** It cannot be asked for as it is written. */
        REFUSED
    }
}
