package dev.escapement.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.common.NamedThreadFactory;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
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

    /** Creates a feed that reconnects after {@code idleTimeout} without a byte; the server sends one every 15 s. */
    public EventFeed(ApiClient api, Sleeper sleeper, Duration idleTimeout) {
        this.api = api;
        this.sleeper = sleeper;
        this.idleTimeout = idleTimeout;
    }

    /** Delivers all past events and returns; a following {@link #follow} continues without a gap. */
    public void readHistory(Consumer<ServerEvent> sink) {
        lastPosition = Optional.of("");
        try (InputStream in = new IdleTimeoutInputStream(
                openStream(ApiPath.of("events").withParameter("follow", "false")), idleTimeout)) {
            dispatch(new SseReader(in), neverDone(sink));
        } catch (IOException connectionLost) {
            throw api.connectionLost();
        }
    }

    /**
     * Delivers events until {@code onConnected} or {@code onEvent} returns true.
     *
     * @param onConnected called after every connection, the first included. Events from now on will be delivered;
     *     earlier ones may be missing, so the current state is read here
     * @param onConnectionLost called before each attempt to reconnect
     * @throws ApiException if the first connection fails, if the server rejects a request, or if reconnecting has
     *     failed for about a minute
     */
    public void follow(BooleanSupplier onConnected, Predicate<ServerEvent> onEvent, Runnable onConnectionLost) {
        int failures = 0;
        boolean everConnected = false;
        while (true) {
            try (InputStream in = new IdleTimeoutInputStream(openStream(ApiPath.of("events")), idleTimeout)) {
                everConnected = true;
                failures = 0;
                if (onConnected.getAsBoolean() || dispatch(new SseReader(in), onEvent)) {
                    return;
                }
            } catch (IOException connectionLost) {
                // Reconnects below.
            } catch (ApiException failure) {
                failures++;
                if (!everConnected || !failure.isTransient() || failures > Sleeper.MAX_RECONNECTS) {
                    throw failure;
                }
            }
            // The delay also grows while every connection succeeds but delivers nothing.
            attemptsWithoutEvent++;
            onConnectionLost.run();
            sleeper.sleepBeforeReconnect(attemptsWithoutEvent);
        }
    }

    /** Delivers events until an error ends it, as {@link #follow} does. */
    public void followForever(Runnable onConnected, Consumer<ServerEvent> sink, Runnable onConnectionLost) {
        follow(
                () -> {
                    onConnected.run();
                    return false;
                },
                neverDone(sink),
                onConnectionLost);
    }

    private static Predicate<ServerEvent> neverDone(Consumer<ServerEvent> sink) {
        return event -> {
            sink.accept(event);
            return false;
        };
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

    /** Closes the stream when a read gets no byte within the timeout: a connection can be dropped silently. */
    private static final class IdleTimeoutInputStream extends FilterInputStream {

        private final Duration idleTimeout;
        private final ScheduledExecutorService timer =
                Executors.newSingleThreadScheduledExecutor(NamedThreadFactory.daemon("idle-timeout"));

        IdleTimeoutInputStream(InputStream in, Duration idleTimeout) {
            super(in);
            this.idleTimeout = idleTimeout;
        }

        /** The only method that {@link SseReader} reads with, since it buffers. */
        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            // Closing the underlying stream makes a blocked read fail.
            Callable<Void> closeStream = () -> {
                super.close();
                return null;
            };
            ScheduledFuture<?> timeout = timer.schedule(closeStream, idleTimeout.toNanos(), TimeUnit.NANOSECONDS);
            try {
                return super.read(buffer, offset, length);
            } finally {
                timeout.cancel(false);
            }
        }

        @Override
        public void close() throws IOException {
            timer.shutdownNow();
            super.close();
        }
    }

    /**
     * An event of the server.
     *
     * @param id position in the journal; empty for an event that is not stored there
     * @param type such as {@code WorkflowSkipped}
     * @param data details
     */
    public record ServerEvent(String id, String type, JsonNode data) {

        /** Type of events that report the progress of a run; they are not in the journal. */
        public static final String PROGRESS = "Progress";

        /** Compares uids: a later execution may have the same name. */
        public boolean isAbout(String executionUid) {
            return ClientJson.text(data, "/execution/uid").equals(executionUid);
        }

        /** Returns a field of the data, empty if missing. */
        public String text(String pointer) {
            return ClientJson.text(data, pointer);
        }
    }
}
