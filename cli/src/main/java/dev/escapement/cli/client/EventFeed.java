package dev.escapement.cli.client;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Reads a server's events as they happen. Reconnects after a lost connection and resumes at the last event. */
public final class EventFeed {

    private final ApiClient api;
    private final Sleeper sleeper;
    private final Duration idleTimeout;

    /** Id of the last journal event read; empty text is the beginning of the journal. */
    private Optional<String> lastPosition = Optional.empty();

    private int attemptsWithoutEvent;

    /** Receives events. */
    public interface Listener {

        /**
         * Called after every connection, the first included. Events from now on will be delivered; earlier ones may be
         * missing, so the listener reads the current state here.
         *
         * @return whether the listener is done
         */
        default boolean onConnected() {
            return false;
        }

        /** Returns whether the listener is done. */
        boolean onEvent(ServerEvent event);

        /** Called before each attempt to reconnect. */
        default void onConnectionLost() {}
    }

    /** Creates a feed that reconnects after {@code idleTimeout} without a byte; the server sends one every 15 s. */
    public EventFeed(ApiClient api, Sleeper sleeper, Duration idleTimeout) {
        this.api = api;
        this.sleeper = sleeper;
        this.idleTimeout = idleTimeout;
    }

    /** Starts after this event id instead of now; an empty id is the beginning of the journal. */
    public EventFeed startAfter(String position) {
        lastPosition = Optional.of(position);
        return this;
    }

    /** Delivers all past events and returns; a following {@link #follow} continues without a gap. */
    public void readHistory(Consumer<ServerEvent> sink) {
        try (InputStream in = new IdleTimeoutInputStream(
                openStream(ApiPath.of("events").withParameter("follow", "false")), idleTimeout)) {
            dispatch(new SseReader(in), event -> {
                sink.accept(event);
                return false;
            });
        } catch (IOException connectionLost) {
            throw ReconnectPolicy.connectionLost(api);
        }
    }

    /**
     * Delivers events until the listener is done.
     *
     * @throws ApiException if the first connection fails, if the server rejects a request, or if reconnecting has
     *     failed for about a minute
     */
    public void follow(Listener listener) {
        int failures = 0;
        boolean everConnected = false;
        while (true) {
            try (InputStream in = new IdleTimeoutInputStream(openStream(ApiPath.of("events")), idleTimeout)) {
                everConnected = true;
                failures = 0;
                if (listener.onConnected() || dispatch(new SseReader(in), listener::onEvent)) {
                    return;
                }
            } catch (IOException connectionLost) {
                // Reconnects below.
            } catch (ApiException failure) {
                failures++;
                if (!everConnected || !failure.isTransient() || failures > ReconnectPolicy.MAX_ATTEMPTS) {
                    throw failure;
                }
            }
            // The delay also grows while every connection succeeds but delivers nothing.
            attemptsWithoutEvent++;
            listener.onConnectionLost();
            ReconnectPolicy.sleep(sleeper, attemptsWithoutEvent);
        }
    }

    /** Delivers events until an error ends it, as {@link #follow} does. */
    public void followForever(Runnable onConnected, Consumer<ServerEvent> sink, Runnable onConnectionLost) {
        follow(new Listener() {
            @Override
            public boolean onConnected() {
                onConnected.run();
                return false;
            }

            @Override
            public boolean onEvent(ServerEvent event) {
                sink.accept(event);
                return false;
            }

            @Override
            public void onConnectionLost() {
                onConnectionLost.run();
            }
        });
    }

    private InputStream openStream(ApiPath events) {
        Map<String, String> headers = new HashMap<>(Map.of("Accept", "text/event-stream"));
        lastPosition
                .filter(position -> !position.isEmpty())
                .ifPresent(position -> headers.put("Last-Event-ID", position));
        return api.openStream(events.withParameter("after", lastPosition), headers)
                .body();
    }

    private boolean dispatch(SseReader reader, Predicate<ServerEvent> isDone) throws IOException {
        for (Optional<ServerEvent> event = reader.next(); event.isPresent(); event = reader.next()) {
            attemptsWithoutEvent = 0;
            lastPosition =
                    event.map(ServerEvent::id).filter(id -> !id.isEmpty()).or(() -> lastPosition);
            if (isDone.test(event.get())) {
                return true;
            }
        }
        return false;
    }
}
