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
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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

    /**
     * Pings the server at an interval and closes the connection after three pings in a row without any message from it.
     * It counts pings, not time, so a process that was suspended for an hour does not close a healthy connection.
     */
    private static final class WebSocketPing implements WebSocket.Listener {

        private static final Logger LOG = LoggerFactory.getLogger(PingingHttpClient.class);
        private static final int MAX_UNANSWERED_PINGS = 3;

        private final WebSocket.Listener listener;
        private final Duration interval;
        private final AtomicInteger unanswered = new AtomicInteger();
        private final AtomicBoolean closed = new AtomicBoolean();

        /** @param listener receives all calls except those after the connection was closed */
        private WebSocketPing(WebSocket.Listener listener, Duration interval) {
            this.listener = listener;
            this.interval = interval;
        }

        @Override
        public void onOpen(WebSocket socket) {
            listener.onOpen(socket);
            schedulePing(socket);
        }

        private void schedulePing(WebSocket socket) {
            CompletableFuture.delayedExecutor(interval.toNanos(), TimeUnit.NANOSECONDS)
                    .execute(() -> ping(socket));
        }

        private void ping(WebSocket socket) {
            if (closed.get() || socket.isInputClosed() || socket.isOutputClosed()) {
                return;
            }
            if (unanswered.getAndIncrement() < MAX_UNANSWERED_PINGS) {
                // A ping that cannot be sent gets no answer either.
                var unused = socket.sendPing(ByteBuffer.allocate(0));
                schedulePing(socket);
            } else if (closed.compareAndSet(false, true)) {
                Duration silence = interval.multipliedBy(MAX_UNANSWERED_PINGS);
                LOG.warn("No message from the API server for {}, restarting the watch", silence);
                socket.abort();
                // The socket reports an abort from this side to no listener.
                listener.onError(socket, new IOException("no message from the API server"));
            }
        }

        @Override
        public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
            unanswered.set(0);
            return listener.onText(socket, data, last);
        }

        @Override
        public CompletionStage<?> onBinary(WebSocket socket, ByteBuffer data, boolean last) {
            unanswered.set(0);
            return listener.onBinary(socket, data, last);
        }

        @Override
        public CompletionStage<?> onPing(WebSocket socket, ByteBuffer message) {
            unanswered.set(0);
            return listener.onPing(socket, message);
        }

        @Override
        public CompletionStage<?> onPong(WebSocket socket, ByteBuffer message) {
            unanswered.set(0);
            return listener.onPong(socket, message);
        }

        @Override
        public CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
            return closed.compareAndSet(false, true)
                    ? listener.onClose(socket, code, reason)
                    : CompletableFuture.completedFuture(null);
        }

        @Override
        public void onError(WebSocket socket, Throwable error) {
            if (closed.compareAndSet(false, true)) {
                listener.onError(socket, error);
            }
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
