package dev.escapement.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.backoff.DurationText;
import dev.escapement.cli.client.ApiException.Kind;
import dev.escapement.common.Json;
import dev.escapement.common.SafeText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Sends requests to the REST API of one server and returns the JSON of its responses. */
public final class ApiClient {

    private static final int MAX_ACTOR_LENGTH = 200;
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

    private final ServerAddress address;
    private final Optional<String> token;
    private final Optional<String> user;
    private final Duration timeout;
    private final ApiResponseParser responseParser;
    private final HttpClient http;

    /**
     * Creates a client; it connects with the first request.
     *
     * @param timeout limit for a request with its whole response
     */
    public ApiClient(ServerAddress address, Optional<String> token, Duration timeout) {
        this(address, token, Optional.empty(), timeout);
    }

    /** @param user recorded with actions unless a request or a token of its own names somebody */
    public ApiClient(ServerAddress address, Optional<String> token, Optional<String> user, Duration timeout) {
        this.address = address;
        this.token = token;
        this.user = user.map(ApiClient::toHeaderValue);
        this.timeout = timeout;
        this.responseParser = new ApiResponseParser(address);
        HttpClient.Builder builder = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                // The token and the request are meant for this address only.
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(CONNECT_TIMEOUT);
        this.http = (address.isLoopback() ? builder.proxy(HttpClient.Builder.NO_PROXY) : builder).build();
    }

    /**
     * Reads a resource.
     *
     * @throws ApiException for every response but success, as all requests do
     */
    public JsonNode get(ApiPath resource) {
        return exchange(request(resource).GET());
    }

    /** Reads a resource that may not exist. */
    public Optional<JsonNode> find(ApiPath resource) {
        try {
            return Optional.of(get(resource));
        } catch (ApiException failure) {
            if (failure.is(Kind.NOT_FOUND)) {
                return Optional.empty();
            }
            throw failure;
        }
    }

    public JsonNode delete(ApiPath resource, Object body) {
        return exchange(requestWithBody("DELETE", resource, body));
    }

    public JsonNode post(ApiPath resource, Object body) {
        return exchange(requestWithBody("POST", resource, body));
    }

    /** Posts a document that has no field for its author; the author goes into a header if it is given. */
    public JsonNode post(ApiPath resource, Object body, Optional<String> author) {
        HttpRequest.Builder request = requestWithBody("POST", resource, body);
        author.map(ApiClient::toHeaderValue).ifPresent(name -> request.header("X-Escapement-By", name));
        return exchange(request);
    }

    /** A header holds ASCII only; other characters become question marks. */
    private static String toHeaderValue(String name) {
        return SafeText.sanitize(name, MAX_ACTOR_LENGTH).replaceAll("[^\\x20-\\x7e]", "?");
    }

    /** Opens a streamed response: events, or the output of a run. The caller closes it. */
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
        } catch (IOException connectionLost) {
            throw responseParser.toException(response.statusCode(), new byte[0]);
        }
    }

    /** Returns the error for a streamed response that ended early. */
    ApiException connectionLost() {
        return new ApiException(Kind.UNREACHABLE, "connection to " + address + " lost before the end of the response");
    }

    private HttpRequest.Builder request(ApiPath resource) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(address.resolve(resource)).header("Accept", "application/json");
        token.ifPresent(given -> request.header("Authorization", "Bearer " + given));
        user.ifPresent(name -> request.header("X-Escapement-User", name));
        return request;
    }

    private HttpRequest.Builder requestWithBody(String method, ApiPath resource, Object body) {
        return request(resource)
                .header("Content-Type", "application/json")
                .method(method, BodyPublishers.ofByteArray(Json.writeBytes(body)));
    }

    private JsonNode exchange(HttpRequest.Builder request) {
        var response = await(http.sendAsync(request.build(), info -> new BoundedBodySubscriber()));
        return responseParser.read(response.statusCode(), response.body());
    }

    /** Applies one deadline to connection, headers and body together. */
    private <T> T await(CompletableFuture<T> response) {
        try {
            return response.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException failure) {
            throw responseParser.toException(
                    Optional.ofNullable(failure.getCause()).orElse(failure));
        } catch (TimeoutException late) {
            response.cancel(true);
            throw new ApiException(
                    Kind.UNREACHABLE,
                    "%s did not respond within %s; %s"
                            .formatted(address, DurationText.format(timeout), ApiResponseParser.OUTCOME_UNKNOWN));
        } catch (InterruptedException interrupted) {
            response.cancel(true);
            Thread.currentThread().interrupt();
            throw new ApiException(Kind.UNREACHABLE, "interrupted while waiting for a response of " + address);
        }
    }

    /** Reads a response body into memory, up to a limit: the address may not be an Escapement server. */
    private static final class BoundedBodySubscriber implements BodySubscriber<byte[]> {

        /** A hundred times a full page of executions. */
        private static final int MAX_BYTES = 64 * 1024 * 1024;

        private final CompletableFuture<byte[]> body = new CompletableFuture<>();
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private Optional<Flow.Subscription> subscription = Optional.empty();

        @Override
        public CompletionStage<byte[]> getBody() {
            return body;
        }

        @Override
        public void onSubscribe(Flow.Subscription given) {
            subscription = Optional.of(given);
            given.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(List<ByteBuffer> parts) {
            for (ByteBuffer part : parts) {
                if (bytes.size() + part.remaining() > MAX_BYTES) {
                    subscription.ifPresent(Flow.Subscription::cancel);
                    body.completeExceptionally(new IOException("the response is larger than " + MAX_BYTES + " bytes"));
                    return;
                }
                byte[] copy = new byte[part.remaining()];
                part.get(copy);
                bytes.writeBytes(copy);
            }
        }

        @Override
        public void onError(Throwable failure) {
            body.completeExceptionally(failure);
        }

        @Override
        public void onComplete() {
            body.complete(bytes.toByteArray());
        }
    }
}
