package dev.escapement.server.http;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Optional;

/**
 * What the API server refuses for good: it is the asker's to mend, and its words say how.
 *
 * @param code of HTTP
 * @param message the words
 */
public record ApiServerRejection(int code, String message) {

    /** Empty if it was not refused: then it is not known whether it was carried out. */
    public static Optional<ApiServerRejection> of(KubernetesClientException failure) {
        int code = failure.getCode();
        boolean refused = code >= 400 && code < 500 && code != 401 && code != 429;
        String said = Optional.ofNullable(failure.getStatus())
                .flatMap(status -> Optional.ofNullable(status.getMessage()))
                .orElseGet(() -> String.valueOf(failure.getMessage()));
        return refused ? Optional.of(new ApiServerRejection(code, "the API server says: " + said)) : Optional.empty();
    }
}
