package dev.escapement.server.notification;

import dev.escapement.endpoints.http.HttpCallDispatcher;
import dev.escapement.notifications.channel.HttpPoster;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/** Opens the HTTP client with the first request: a server that writes notifications to its log needs none. */
final class LazyHttpPoster implements HttpPoster, AutoCloseable {

    private final Supplier<HttpCallDispatcher> opener;
    private final Duration timeout;
    private Optional<HttpCallDispatcher> opened = Optional.empty();
    private boolean closed;

    LazyHttpPoster(Supplier<HttpCallDispatcher> opener, Duration timeout) {
        this.opener = opener;
        this.timeout = timeout;
    }

    @Override
    public HttpReply post(HttpPost post) {
        return dispatcher()
                .map(dispatcher -> new GuardedHttpPoster(dispatcher, timeout).post(post))
                .orElseGet(() -> new HttpReply(Optional.empty(), "this server is stopping", Optional.empty()));
    }

    private synchronized Optional<HttpCallDispatcher> dispatcher() {
        if (opened.isEmpty() && !closed) {
            opened = Optional.of(opener.get());
        }
        return opened;
    }

    @Override
    public synchronized void close() {
        closed = true;
        opened.ifPresent(HttpCallDispatcher::close);
    }
}
