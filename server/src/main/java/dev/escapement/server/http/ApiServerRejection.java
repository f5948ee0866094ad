package dev.escapement.server.http;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Optional;

/**
 * A request that the Kubernetes API server has rejected, which the caller can correct.
 *
 * @param code the HTTP status code
 */
public record ApiServerRejection(int code, String message) {

    /** Returns empty if the failure is no rejection: then the request may have been executed. */
    public static Optional<ApiServerRejection> of(KubernetesClientException failure) {
        int code = failure.getCode();
        boolean rejected = code >= 400 && code < 500 && code != 401 && code != 429;
        String message = Optional.ofNullable(failure.getStatus())
                .flatMap(status -> Optional.ofNullable(status.getMessage()))
                .orElseGet(() -> String.valueOf(failure.getMessage()));
        return rejected
                ? Optional.of(new ApiServerRejection(code, "the API server rejected it: " + message))
                : Optional.empty();
    }
}
