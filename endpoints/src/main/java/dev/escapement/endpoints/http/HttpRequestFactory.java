package dev.escapement.endpoints.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import dev.escapement.endpoints.guard.EndpointUrl;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.client.BytesRequestContent;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpVersion;

/** Creates the HTTP requests of calls. */
record HttpRequestFactory(HttpClient client, InstantSource clock, String userAgent) {

    private static final String IDEMPOTENCY_KEY = "Idempotency-Key";
    /** Added to the call's timeout, so that the call's timeout comes before the idle timeout of the connection. */
    private static final long IDLE_TIMEOUT_MARGIN_MILLIS = 5_000;

    private static final JsonFactory JSON = new JsonFactory();

    /** @throws IllegalArgumentException if a header, the idempotency key or the signing key is invalid */
    static void check(CallRequest call, String idempotencyKey) {
        RequestHeaderRules.check(call.headers());
        RequestHeaderRules.checkValue(IDEMPOTENCY_KEY, idempotencyKey);
        call.signingKey().ifPresent(WebhookSigner::withKey);
    }

    /** Creates a new request for a call that has passed {@link #check}. */
    Request create(CallRequest call, EndpointUrl url, String idempotencyKey) {
        Map<String, String> signature = call.signingKey()
                .map(key -> WebhookSigner.withKey(key).sign(idempotencyKey, clock.instant(), call.body()))
                .orElse(Map.of());
        Request request = client.newRequest(url.uri())
                .version(HttpVersion.HTTP_1_1)
                .method(call.method().name())
                .followRedirects(false)
                .idleTimeout(call.timeout().toMillis() + IDLE_TIMEOUT_MARGIN_MILLIS, TimeUnit.MILLISECONDS)
                .headers(headers -> {
                    call.headers().forEach(headers::put);
                    signature.forEach(headers::put);
                    headers.put(IDEMPOTENCY_KEY, idempotencyKey);
                    putIfAbsent(headers, HttpHeader.USER_AGENT, userAgent);
                    putIfAbsent(headers, HttpHeader.ACCEPT, "*/*");
                });
        if (!call.body().isEmpty()) {
            String type = isJson(call.body()) ? "application/json" : "text/plain;charset=utf-8";
            request.headers(headers -> putIfAbsent(headers, HttpHeader.CONTENT_TYPE, type));
            request.body(new BytesRequestContent(call.body().getBytes(UTF_8)));
        }
        return request;
    }

    private static void putIfAbsent(HttpFields.Mutable headers, HttpHeader name, String value) {
        if (!headers.contains(name)) {
            headers.put(name, value);
        }
    }

    private static boolean isJson(String body) {
        try (JsonParser parser = JSON.createParser(body)) {
            if (parser.nextToken() == null) {
                return false;
            }
            parser.skipChildren();
            return parser.nextToken() == null;
        } catch (IOException notJson) {
            return false;
        }
    }
}
