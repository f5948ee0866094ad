package dev.escapement.endpoints.remediation;

import dev.escapement.endpoints.model.RemediationAttempt;
import dev.escapement.endpoints.model.RemediationPolicy;
import dev.escapement.endpoints.model.ScheduledEndpoint;
import java.time.Instant;
import java.util.Optional;

/** Creates executions for endpoints that keep failing, through the same gate as all other requests. */
public interface RemediationRequester {

    /**
     * The result of a request.
     *
     * @param reason why no execution was created; empty if one was
     * @param blockedUntil earliest time at which the gate may admit it, if known
     */
    record Response(RemediationAttempt.State state, String reason, Optional<Instant> blockedUntil) {}

    /**
     * Creates an execution with exactly that name. Idempotent: an existing execution counts as requested.
     *
     * @param endpoint the failing endpoint
     * @param executionName the same for every attempt for one failed run
     */
    Response request(ScheduledEndpoint endpoint, RemediationPolicy policy, String executionName);
}
