package dev.escapement.notifications.audit.sink;

import dev.escapement.common.RetryAfterHeader;
import dev.escapement.common.SafeText;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Sends records as a JSON array with POST. Follows no redirects.
 *
 * @param tokenFile has the bearer token; read for every batch, so that a new token takes effect at once
 * @param timeout of one batch, from the connection to the end of the response
 */
public record HttpSinkClient(
        HttpClient client, URI url, Optional<Path> tokenFile, Duration timeout, InstantSource clock)
        implements SinkClient {

    private static final int MAX_ERROR_LENGTH = 300;
    private static final int MAX_BODY_BYTES = 4 << 10;

    /** Opens a client with its own connections. */
    public static HttpSinkClient open(URI url, Optional<Path> tokenFile, Duration timeout, InstantSource clock) {
        HttpClient client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(timeout)
                .build();
        return new HttpSinkClient(client, url, tokenFile, timeout, clock);
    }

    @Override
    public SinkResponse send(List<String> documents) throws InterruptedException {
        Optional<String> token;
        HttpRequest request;
        try {
            token = readToken();
            request = request(documents, token);
        } catch (IOException unreadable) {
            return new SinkResponse.Unavailable("the token file cannot be read: " + unreadable, Optional.empty());
        } catch (IllegalArgumentException invalid) {
            // The message of the exception would show the token.
            return new SinkResponse.Unavailable("the token has characters that no header may have", Optional.empty());
        }
        // The timeout of a request ends with the first byte of the response; this one covers all of it.
        CompletableFuture<HttpResponse<String>> response =
                client.sendAsync(request, head -> new BoundedBody(MAX_BODY_BYTES));
        try {
            return toResponse(response.get(timeout.toNanos(), TimeUnit.NANOSECONDS), token);
        } catch (ExecutionException failed) {
            return new SinkResponse.Unavailable(String.valueOf(failed.getCause()), Optional.empty());
        } catch (TimeoutException late) {
            return new SinkResponse.Unavailable("no response within " + timeout.toMillis() + " ms", Optional.empty());
        } finally {
            response.cancel(true);
        }
    }

    private Optional<String> readToken() throws IOException {
        return tokenFile.isPresent()
                ? Optional.of(Files.readString(tokenFile.get()).strip())
                : Optional.empty();
    }

    private HttpRequest request(List<String> documents, Optional<String> token) {
        HttpRequest.Builder request = HttpRequest.newBuilder(url)
                .timeout(timeout)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("[" + String.join(",", documents) + "]"));
        token.ifPresent(secret -> request.header("Authorization", "Bearer " + secret));
        return request.build();
    }

    /** The sink may repeat what it was sent, but people with the right to view records must not see the token. */
    private SinkResponse toResponse(HttpResponse<String> response, Optional<String> token) {
        String body = token.filter(secret -> !secret.isEmpty())
                .map(secret -> response.body().replace(secret, "(not shown)"))
                .orElse(response.body());
        Optional<Duration> retryAfter = response.headers()
                .firstValue("Retry-After")
                .flatMap(header -> RetryAfterHeader.parse(header, clock.instant()));
        return SinkResponse.ofStatus(response.statusCode(), SafeText.sanitize(body, MAX_ERROR_LENGTH), retryAfter);
    }
}
