package dev.escapement.notifications.channel;

import dev.escapement.storage.SecretText;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Sends requests to receivers outside. An implementation checks every address when it connects, follows no redirects
 * and bounds time and size. Thread-safe.
 */
public interface HttpPoster {

    /**
     * A request.
     *
     * @param url may contain a secret
     * @param id the same for every attempt; without a dot
     * @param signingKeys sign the request according to Standard Webhooks, each with its own signature; empty for none
     */
    record HttpPost(
            SecretText url, Map<String, String> headers, String body, String id, Optional<SecretText> signingKeys) {}

    /**
     * The answer to a request.
     *
     * @param status empty without a response
     * @param error shown to people; empty after a success, which is a complete response with status 200 to 299
     * @param retryAfter the delay that the response requests
     */
    record HttpReply(Optional<Integer> status, String error, Optional<Duration> retryAfter) {}

    /** Sends a request and waits for the complete response, for a bounded time. */
    HttpReply post(HttpPost post);
}
