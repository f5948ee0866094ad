package dev.escapement.cli.client;

import dev.escapement.backoff.Backoff;
import dev.escapement.backoff.DurationText;
import dev.escapement.cli.client.ApiException.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** A server's events as they happen. A connection that is lost is made again, from where it was lost. */
public final class EventFeed {

    private static final Backoff BACKOFF = Backoff.builder()
            .base(Duration.ofMillis(250))
            .max(Duration.ofSeconds(10))
            .build();

    /** Together between one and two minutes: time for a server to be started again. */
    private static final int MAX_ATTEMPTS = 14;

    private final ApiClient api;
    private final Sleeper sleeper;
    private final Duration idleTimeout;

    /** Where the journal was read up to. */
    private Optional<String> lastPosition = Optional.empty();

    /** Connections and attempts since the last event. */
    private int attemptsWithoutEvent;

    /** Whoever looks at the events. */
    public interface Listener {

        /**
         * A connection stands, the first or another: what happens from here on will be told. What happened before may
         * not have been, so this is the time to look.
         *
         * @return whether that was enough
         */
        default boolean onConnected() {
            return false;
        }

        /** Takes an event, and returns whether that was enough. */
        boolean onEvent(ServerEvent event);

        /** The connection is gone and will be tried again after the wait. */
        default void onConnectionLost(Duration wait) {}
    }

    /**
     * Connects to nothing yet.
     *
     * @param silence how long a server may say nothing; it makes a sound more often than that
     */
    public EventFeed(ApiClient api, Sleeper pause, Duration silence) {
        this.api = api;
        this.sleeper = pause;
        this.idleTimeout = silence;
    }

    /** The same from a position on; an empty one is the beginning. Without this it begins now. */
    public EventFeed startAfter(String position) {
        lastPosition = Optional.of(position);
        return this;
    }

    /** Hands over all that has happened, and ends there; to follow from there on is to miss nothing. */
    public void readHistory(Consumer<ServerEvent> sink) {
        try (InputStream in = new IdleTimeoutInputStream(
                openStream(ApiPath.of("events").withParameter("follow", "false")), idleTimeout)) {
            dispatch(new SseReader(in), event -> {
                sink.accept(event);
                return false;
            });
        } catch (IOException cut) {
            throw new ApiException(Kind.UNREACHABLE, "the connection to " + api.address() + " was lost in the middle");
        }
    }

    /**
     * Hands events to the watcher until it has enough.
     *
     * @throws ApiException if there is no server from the start, or not any more after a minute of trying, or it
     *     refuses
     */
    public void follow(Listener watcher) {
        int misses = 0;
        boolean everConnected = false;
        while (true) {
            try (InputStream in = new IdleTimeoutInputStream(openStream(ApiPath.of("events")), idleTimeout)) {
                everConnected = true;
                misses = 0;
                if (watcher.onConnected() || dispatch(new SseReader(in), watcher)) {
                    return;
                }
            } catch (IOException cut) {
                // It is made again below.
            } catch (ApiException failure) {
                misses++;
                if (!everConnected || !isTransient(failure) || misses > MAX_ATTEMPTS) {
                    throw failure;
                }
            }
            // Also where each connection stands and none brings anything the waits grow.
            attemptsWithoutEvent++;
            Duration wait = BACKOFF.delay(attemptsWithoutEvent);
            watcher.onConnectionLost(wait);
            sleep(wait);
        }
    }

    /** A server that is just being started again is away, or in trouble; one that refuses will go on refusing. */
    private static boolean isTransient(ApiException failure) {
        return failure.is(Kind.UNREACHABLE) || failure.is(Kind.SERVER_ERROR);
    }

    private InputStream openStream(ApiPath events) {
        Map<String, String> headers = new HashMap<>(Map.of("Accept", "text/event-stream"));
        lastPosition
                .filter(position -> !position.isEmpty())
                .ifPresent(position -> headers.put("Last-Event-ID", position));
        return api.openStream(events.withParameter("after", lastPosition), headers)
                .body();
    }

    private boolean dispatch(SseReader reader, Listener watcher) throws IOException {
        for (Optional<ServerEvent> event = reader.next(); event.isPresent(); event = reader.next()) {
            attemptsWithoutEvent = 0;
            lastPosition =
                    event.map(ServerEvent::id).filter(id -> !id.isEmpty()).or(() -> lastPosition);
            if (watcher.onEvent(event.get())) {
                return true;
            }
        }
        return false;
    }

    private void sleep(Duration wait) {
        try {
            sleeper.sleep(wait);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new ApiException(
                    Kind.UNREACHABLE,
                    "interrupted while waiting %s to reach %s again"
                            .formatted(DurationText.format(wait), api.address()));
        }
    }
}
