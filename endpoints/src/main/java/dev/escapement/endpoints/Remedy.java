package dev.escapement.endpoints;

import java.time.Instant;
import java.util.Optional;

/**
 * What became of the last wish for a remediation.
 *
 * @param run the number of the run whose failure brought it about
 * @param at when
 * @param state what became of it
 * @param execution the name of the execution that was asked for, if one was
 * @param reason why not, in words of the gate; empty if it was asked for
 * @param until when the gate may think otherwise, if it says so
 */
public record Remedy(
        long run, Instant at, State state, Optional<String> execution, String reason, Optional<Instant> until) {

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
