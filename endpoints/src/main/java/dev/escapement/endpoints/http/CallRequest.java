package dev.escapement.endpoints.http;

import dev.escapement.storage.SecretText;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * One call to make.
 *
 * @param url as it was written; it may have turned bad since
 * @param headers as they were written
 * @param body empty for none
 * @param timeout over name, connect, headers and body together
 * @param idempotencyKey the same for every attempt at one occurrence; without a dot
 * @param signingKey signs the request as Standard Webhooks do, if there is one
 */
public record CallRequest(
        String url,
        Method method,
        Map<String, String> headers,
        String body,
        Duration timeout,
        String idempotencyKey,
        Optional<SecretText> signingKey) {

    /** The methods that an endpoint can have. */
    public enum Method {
        GET,
        POST,
        PUT,
        PATCH,
        DELETE
    }

    /** Keeps its own copy of the headers. */
    public CallRequest {
        headers = Map.copyOf(headers);
    }
}
