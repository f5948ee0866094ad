package dev.escapement.kubernetes.client;

import java.io.IOException;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pings the server at an interval and closes the connection after three pings in a row without any message from it. It
 * counts pings, not time, so a process that was suspended for an hour does not close a healthy connection.
 */
final class WebSocketPing implements WebSocket.Listener {

    private static final Logger LOG = LoggerFactory.getLogger(WebSocketPing.class);
    private static final int MAX_UNANSWERED_PINGS = 3;

    private final WebSocket.Listener listener;
    private final Duration interval;
    private final AtomicInteger unanswered = new AtomicInteger();
    private final AtomicBoolean closed = new AtomicBoolean();

    /** @param listener receives all calls except those after the connection was closed */
    WebSocketPing(WebSocket.Listener listener, Duration interval) {
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
