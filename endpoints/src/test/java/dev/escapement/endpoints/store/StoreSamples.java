package dev.escapement.endpoints.store;

import dev.escapement.endpoints.http.CallResult;
import dev.escapement.endpoints.model.ScheduledEndpoint;
import dev.escapement.endpoints.store.EndpointStore.RunResult;
import java.time.Instant;

/** Creates endpoints and results for tests outside the contract. */
public final class StoreSamples {

    private StoreSamples() {}

    /** Returns an endpoint that runs every minute and is due at the slot; its id is {@code id-} and the name. */
    public static ScheduledEndpoint endpoint(String name, String host, Instant slot) {
        return EndpointStoreContract.newEndpoint(name, host, slot);
    }

    /** Returns a success; the next run is a minute after the slot. */
    public static RunResult success(EndpointClaim claim) {
        return EndpointStoreContract.successOf(claim);
    }

    /** Returns this result; the next run is a minute after the slot. */
    public static RunResult result(EndpointClaim claim, CallResult answer, Instant endedAt) {
        return EndpointStoreContract.resultOf(claim, answer, endedAt);
    }
}
