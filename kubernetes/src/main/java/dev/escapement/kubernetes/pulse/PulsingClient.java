package dev.escapement.kubernetes.pulse;

import java.io.IOException;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.HttpURLConnection;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/** An HTTP client whose WebSockets have a pulse; all else is as it was. */
final class PulsingClient extends HttpClient {

    private final HttpClient client;
    private final Duration interval;

    PulsingClient(HttpClient client, Duration interval) {
        this.client = client;
        this.interval = interval;
    }

    private record Builder(WebSocket.Builder builder, Duration interval) implements WebSocket.Builder {

        @Override
        public WebSocket.Builder header(String name, String value) {
            builder.header(name, value);
            return this;
        }

        @Override
        public WebSocket.Builder connectTimeout(Duration timeout) {
            builder.connectTimeout(timeout);
            return this;
        }

        @Override
        public WebSocket.Builder subprotocols(String mostPreferred, String... lesserPreferred) {
            builder.subprotocols(mostPreferred, lesserPreferred);
            return this;
        }

        @Override
        public CompletableFuture<WebSocket> buildAsync(URI uri, WebSocket.Listener listener) {
            return builder.buildAsync(uri, new Pulse(listener, interval))
                    .exceptionallyCompose(failure -> CompletableFuture.failedFuture(unlessBusy(failure)));
        }

        /**
         * The client library takes "unavailable" for the sign of a proxy that knows no WebSockets, and would watch
         * through plain HTTP from then on, which has no pulse. Any other failure it tries again.
         */
        private static Throwable unlessBusy(Throwable failure) {
            Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
            return cause instanceof WebSocketHandshakeException refused
                            && refused.getResponse().statusCode() == HttpURLConnection.HTTP_UNAVAILABLE
                    ? new IOException("the API server is not available for a watch", refused)
                    : failure;
        }
    }

    @Override
    public WebSocket.Builder newWebSocketBuilder() {
        return new Builder(client.newWebSocketBuilder(), interval);
    }

    @Override
    public Optional<CookieHandler> cookieHandler() {
        return client.cookieHandler();
    }

    @Override
    public Optional<Duration> connectTimeout() {
        return client.connectTimeout();
    }

    @Override
    public Redirect followRedirects() {
        return client.followRedirects();
    }

    @Override
    public Optional<ProxySelector> proxy() {
        return client.proxy();
    }

    @Override
    public SSLContext sslContext() {
        return client.sslContext();
    }

    @Override
    public SSLParameters sslParameters() {
        return client.sslParameters();
    }

    @Override
    public Optional<Authenticator> authenticator() {
        return client.authenticator();
    }

    @Override
    public Version version() {
        return client.version();
    }

    @Override
    public Optional<Executor> executor() {
        return client.executor();
    }

    @Override
    public <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> handler)
            throws IOException, InterruptedException {
        return client.send(request, handler);
    }

    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(HttpRequest request, HttpResponse.BodyHandler<T> handler) {
        return client.sendAsync(request, handler);
    }

    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(
            HttpRequest request, HttpResponse.BodyHandler<T> handler, HttpResponse.PushPromiseHandler<T> pushes) {
        return client.sendAsync(request, handler, pushes);
    }
}
