package dev.escapement.endpoints.remediation;

import dev.escapement.endpoints.model.Endpoint;
import dev.escapement.endpoints.model.RemediationAttempt;
import dev.escapement.endpoints.model.RemediationPolicy;
import java.time.Instant;
import java.util.Optional;

/** Where remediations are asked for: the same gate as for everybody. */
public interface RemediationRequester {

    /**
     * What the gate says.
     *
     * @param state what became of it
     * @param reason why not; empty if it was asked for
     * @param blockedUntil when the gate may think otherwise, if it says so
     */
    record Response(RemediationAttempt.State state, String reason, Optional<Instant> blockedUntil) {}

    /**
     * Asks for an execution of exactly that name. Asking again for the same is harmless: if there is one, it was asked
     * for.
     *
     * @param endpoint that keeps failing
     * @param executionName the same whenever it is asked because of the same run
     */
    Response request(Endpoint endpoint, RemediationPolicy remediation, String executionName);
}
