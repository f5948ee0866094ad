package dev.escapement.endpoints;

import java.time.Instant;
import java.util.Optional;

/** Where remediations are asked for: the same gate as for everybody. */
public interface Gatekeeper {

    /**
     * What the gate says.
     *
     * @param state what became of it
     * @param reason why not; empty if it was asked for
     * @param until when the gate may think otherwise, if it says so
     */
    record Reply(Remedy.State state, String reason, Optional<Instant> until) {}

    /**
     * Asks for an execution of exactly that name. Asking again for the same is harmless: if there is one, it was asked
     * for.
     *
     * @param endpoint that keeps failing
     * @param executionName the same whenever it is asked because of the same run
     */
    Reply ask(Endpoint endpoint, Remediation remediation, String executionName);
}
