package dev.escapement.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.backoff.DurationText;
import dev.escapement.cli.client.ApiException.Kind;
import dev.escapement.governor.SafeText;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Asks a server. Every answer is whole and of our shape, or an {@link ApiException} that says what it is instead. */
public final class ApiClient {

    private static final int MAX_ACTOR_LENGTH = 200;
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

    private final ServerAddress address;
    private final Optional<String> token;
    private final Duration timeout;
    private final ApiResponseParser responseParser;
    private final HttpClient http;

    /**
     * Connects to nothing yet.
     *
     * @param patience how long a whole answer may take
     */
    public ApiClient(ServerAddress address, Optional<String> token, Duration patience) {
        this.address = address;
        this.token = token;
        this.timeout = patience;
        this.responseParser = new ApiResponseParser(address);
        HttpClient.Builder builder = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                // Wherever a redirect leads, the token and the request were not meant for it.
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(CONNECT_TIMEOUT);
        this.http = (address.isLoopback() ? builder.proxy(HttpClient.Builder.NO_PROXY) : builder).build();
    }

    public ServerAddress address() {
        return address;
    }

    public JsonNode get(ApiPath resource) {
        return exchange(request(resource).GET().build());
    }

    /** Deletes, with word of who does it. */
    public JsonNode delete(ApiPath resource, JsonNode body) {
        return exchange(request(resource)
                .header("Content-Type", "application/json")
                .method("DELETE", BodyPublishers.ofByteArray(ClientJson.write(body)))
                .build());
    }

    public JsonNode post(ApiPath resource, JsonNode body) {
        return exchange(postRequest(resource, body).build());
    }

    /** Posts a document that has no place for who sends it. */
    public JsonNode post(ApiPath resource, JsonNode body, String by) {
        // What a header cannot hold is a question mark in the log, and no reason to fail.
        String who = SafeText.sanitize(by, MAX_ACTOR_LENGTH).replaceAll("[^\\x20-\\x7e]", "?");
        return exchange(
                postRequest(resource, body).header("X-Escapement-User", who).build());
    }

    private HttpRequest.Builder postRequest(ApiPath resource, JsonNode body) {
        return request(resource)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofByteArray(ClientJson.write(body)));
    }

    /** Opens an answer that goes on: events, or the output of a run. The caller closes it. */
    public HttpResponse<InputStream> openStream(ApiPath resource, Map<String, String> headers) {
        HttpRequest.Builder request = request(resource);
        headers.forEach(request::setHeader);
        HttpResponse<InputStream> response = await(http.sendAsync(request.GET().build(), BodyHandlers.ofInputStream()));
        if (response.statusCode() == 200) {
            return response;
        }
        try (InputStream body = response.body()) {
            throw responseParser.toException(
                    response.statusCode(), body.readNBytes(ApiResponseParser.MAX_ERROR_LENGTH));
        } catch (IOException cut) {
            throw responseParser.toException(response.statusCode(), new byte[0]);
        }
    }

    private HttpRequest.Builder request(ApiPath resource) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(address.resolve(resource)).header("Accept", "application/json");
        token.ifPresent(given -> request.header("Authorization", "Bearer " + given));
        return request;
    }

    private JsonNode exchange(HttpRequest request) {
        HttpResponse<byte[]> response =
                await(http.sendAsync(request, info -> new BoundedBodySubscriber(BoundedBodySubscriber.MAX_BYTES)));
        return responseParser.read(response.statusCode(), response.body());
    }

    /** One deadline for connection, headers and body together: a server that sends a byte a minute is not there. */
    private <T> T await(CompletableFuture<T> answer) {
        try {
            return answer.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException failure) {
            throw responseParser.toException(
                    Optional.ofNullable(failure.getCause()).orElse(failure));
        } catch (TimeoutException late) {
            answer.cancel(true);
            throw new ApiException(
                    Kind.UNREACHABLE,
                    "%s did not answer within %s; it is not known whether it did what it was asked"
                            .formatted(address, DurationText.format(timeout)));
        } catch (InterruptedException interrupted) {
            answer.cancel(true);
            Thread.currentThread().interrupt();
            throw new ApiException(Kind.UNREACHABLE, "interrupted while " + address + " was asked");
        }
    }
}
