package dev.escapement.kubernetes.client;

import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
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

/** An HTTP client whose WebSockets are pinged; all other calls go to its delegate. */
public final class PingingHttpClient extends HttpClient {

    /** A watch is restarted after three of these intervals without an answer. */
    static final Duration PING_INTERVAL = Duration.ofSeconds(15);

    private final HttpClient delegate;
    private final Duration interval;

    PingingHttpClient(HttpClient delegate, Duration interval) {
        this.delegate = delegate;
        this.interval = interval;
    }

    /**
     * Creates the HTTP clients of the client library with pings on their WebSockets. Without pings, a connection that a
     * firewall or a dead node has dropped looks idle for minutes.
     */
    public static final class PingingHttpClientFactory extends JdkHttpClientFactory {

        private final Duration interval;

        /** @param interval between two pings */
        public PingingHttpClientFactory(Duration interval) {
            this.interval = interval;
        }

        /** Wraps the built client; all other methods of the builder stay as they are. */
        @Override
        protected HttpClient.Builder createNewHttpClientBuilder() {
            HttpClient.Builder builder = super.createNewHttpClientBuilder();
            return (HttpClient.Builder) Proxy.newProxyInstance(
                    PingingHttpClient.class.getClassLoader(),
                    new Class<?>[] {HttpClient.Builder.class},
                    (proxy, method, arguments) -> {
                        try {
                            Object result = method.invoke(builder, arguments);
                            if (result == builder) {
                                return proxy;
                            }
                            return result instanceof HttpClient built ? new PingingHttpClient(built, interval) : result;
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
        }
    }

    private record PingingWebSocketBuilder(WebSocket.Builder delegate, Duration interval) implements WebSocket.Builder {

        @Override
        public WebSocket.Builder header(String name, String value) {
            delegate.header(name, value);
            return this;
        }

        @Override
        public WebSocket.Builder connectTimeout(Duration timeout) {
            delegate.connectTimeout(timeout);
            return this;
        }

        @Override
        public WebSocket.Builder subprotocols(String mostPreferred, String... lesserPreferred) {
            delegate.subprotocols(mostPreferred, lesserPreferred);
            return this;
        }

        @Override
        public CompletableFuture<WebSocket> buildAsync(URI uri, WebSocket.Listener listener) {
            return delegate.buildAsync(uri, new WebSocketPing(listener, interval))
                    .exceptionallyCompose(failure -> CompletableFuture.failedFuture(maskUnavailable(failure)));
        }

        /**
         * Replaces a 503 response. The client library would take it for a proxy without WebSockets and watch through
         * plain HTTP from then on, which has no pings; it retries any other failure.
         */
        private static Throwable maskUnavailable(Throwable failure) {
            Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
            return cause instanceof WebSocketHandshakeException refused
                            && refused.getResponse().statusCode() == HttpURLConnection.HTTP_UNAVAILABLE
                    ? new IOException("the API server is unavailable for a watch", refused)
                    : failure;
        }
    }

    @Override
    public WebSocket.Builder newWebSocketBuilder() {
        return new PingingWebSocketBuilder(delegate.newWebSocketBuilder(), interval);
    }

    @Override
    public Optional<CookieHandler> cookieHandler() {
        return delegate.cookieHandler();
    }

    @Override
    public Optional<Duration> connectTimeout() {
        return delegate.connectTimeout();
    }

    @Override
    public Redirect followRedirects() {
        return delegate.followRedirects();
    }

    @Override
    public Optional<ProxySelector> proxy() {
        return delegate.proxy();
    }

    @Override
    public SSLContext sslContext() {
        return delegate.sslContext();
    }

    @Override
    public SSLParameters sslParameters() {
        return delegate.sslParameters();
    }

    @Override
    public Optional<Authenticator> authenticator() {
        return delegate.authenticator();
    }

    @Override
    public Version version() {
        return delegate.version();
    }

    @Override
    public Optional<Executor> executor() {
        return delegate.executor();
    }

    @Override
    public <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> handler)
            throws IOException, InterruptedException {
        return delegate.send(request, handler);
    }

    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(HttpRequest request, HttpResponse.BodyHandler<T> handler) {
        return delegate.sendAsync(request, handler);
    }

    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(
            HttpRequest request, HttpResponse.BodyHandler<T> handler, HttpResponse.PushPromiseHandler<T> pushes) {
        return delegate.sendAsync(request, handler, pushes);
    }
}
