package dev.escapement.endpoints.model;

import java.time.Instant;
import java.util.Optional;

/**
 * The result of the last request for a remediation.
 *
 * @param runNumber number of the failed run
 * @param at time of the request
 * @param executionName the last execution created for the endpoint, by this or an earlier request
 * @param namespace namespace of that execution; empty for that of the endpoint's remediation policy
 * @param reason why no execution was created; empty if one was
 * @param blockedUntil earliest time at which the gate may admit it, if known
 */
public record RemediationAttempt(
        long runNumber,
        Instant at,
        State state,
        Optional<String> executionName,
        Optional<String> namespace,
        String reason,
        Optional<Instant> blockedUntil) {

    public boolean isRequested() {
        return state == State.REQUESTED;
    }

    /** Result of the request. */
    public enum State {
        /** An execution was created. */
        REQUESTED,
        /** The gate would skip it now: the target is held, cooling down or blocked. The next failure requests again. */
        HELD_BACK,
        /** The remediation policy is invalid. */
        REFUSED
    }
}
