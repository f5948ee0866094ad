package dev.escapement.endpoints.http;

import dev.escapement.storage.SecretText;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * One call to make.
 *
 * @param url as stored; a rule that was added later may refuse it
 * @param body empty for none
 * @param timeout for DNS lookup, connect, request and response together
 * @param idempotencyKey the same for every attempt of one run; without a dot
 * @param signingKey signs the request according to Standard Webhooks; empty for none
 */
public record CallRequest(
        String url,
        Method method,
        Map<String, String> headers,
        String body,
        Duration timeout,
        String idempotencyKey,
        Optional<SecretText> signingKey) {

    public enum Method {
        GET,
        POST,
        PUT,
        PATCH,
        DELETE
    }

    public CallRequest {
        headers = Map.copyOf(headers);
    }
}
