package dev.escapement.endpoints.store;

import dev.escapement.endpoints.Endpoint;
import dev.escapement.endpoints.call.Answer;
import java.time.Instant;

/** Endpoints and results for tests outside of the contract. */
public final class Samples {

    private Samples() {}

    /** Due at the slot, once a minute; its id is the name after {@code id-}. */
    public static Endpoint endpoint(String name, String host, Instant slot) {
        return EndpointStoreContract.endpoint(name, host, slot);
    }

    /** It went well, and the next is a minute after its slot. */
    public static Result success(Claim claim) {
        return EndpointStoreContract.success(claim);
    }

    /** Something came of it, and the next is a minute after its slot. */
    public static Result result(Claim claim, Answer answer, Instant endedAt) {
        return EndpointStoreContract.result(claim, answer, endedAt);
    }
}
