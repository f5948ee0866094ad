package dev.escapement.endpoints.http;

import dev.escapement.storage.SecretText;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The call that every run of an endpoint makes.
 *
 * @param url absolute, http or https, as stored; a rule that was added later may refuse it
 * @param body empty for none
 * @param timeout for DNS lookup, connect, request and response together
 * @param signingKey signs the request according to Standard Webhooks; empty for none
 */
public record CallRequest(
        String url,
        Method method,
        Map<String, String> headers,
        String body,
        Duration timeout,
        Optional<SecretText> signingKey) {

    public enum Method {
        GET,
        POST,
        PUT,
        PATCH,
        DELETE
    }

    /** Copies the headers, sorted by name. */
    public CallRequest {
        headers = Collections.unmodifiableMap(new TreeMap<>(headers));
    }
}
