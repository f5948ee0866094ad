package dev.escapement.endpoints.store;

import dev.escapement.endpoints.http.CallResult;
import dev.escapement.endpoints.model.ScheduledEndpoint;
import java.time.Instant;

/** Endpoints and results for tests outside of the contract. */
public final class StoreSamples {

    private StoreSamples() {}

    /** Due at the slot, once a minute; its id is the name after {@code id-}. */
    public static ScheduledEndpoint endpoint(String name, String host, Instant slot) {
        return EndpointStoreContract.newEndpoint(name, host, slot);
    }

    /** It went well, and the next is a minute after its slot. */
    public static RunResult success(EndpointClaim claim) {
        return EndpointStoreContract.successOf(claim);
    }

    /** Something came of it, and the next is a minute after its slot. */
    public static RunResult result(EndpointClaim claim, CallResult answer, Instant endedAt) {
        return EndpointStoreContract.resultOf(claim, answer, endedAt);
    }
}
