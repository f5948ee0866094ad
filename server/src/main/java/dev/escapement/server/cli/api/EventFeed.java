package dev.escapement.server.cli.api;

import dev.escapement.backoff.Backoff;
import dev.escapement.backoff.DurationText;
import dev.escapement.server.cli.api.ApiFailure.Kind;
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
    private static final int ATTEMPTS = 14;

    private final ApiClient api;
    private final Pause pause;
    private final Duration silence;

    /** Where the journal was read up to. */
    private Optional<String> after = Optional.empty();

    /** Connections and attempts since the last event. */
    private int inVain;

    /** Whoever looks at the events. */
    public interface Watcher {

        /**
         * A connection stands, the first or another: what happens from here on will be told. What happened before may
         * not have been, so this is the time to look.
         *
         * @return whether that was enough
         */
        default boolean connected() {
            return false;
        }

        /** Takes an event, and returns whether that was enough. */
        boolean event(ServerEvent event);

        /** The connection is gone and will be tried again after the wait. */
        default void lost(Duration wait) {}
    }

    /**
     * Connects to nothing yet.
     *
     * @param silence how long a server may say nothing; it makes a sound more often than that
     */
    public EventFeed(ApiClient api, Pause pause, Duration silence) {
        this.api = api;
        this.pause = pause;
        this.silence = silence;
    }

    /** The same from a position on; an empty one is the beginning. Without this it begins now. */
    public EventFeed after(String position) {
        after = Optional.of(position);
        return this;
    }

    /** Hands over all that has happened, and ends there; to follow from there on is to miss nothing. */
    public void past(Consumer<ServerEvent> sink) {
        try (InputStream in = new IdleGuard(open(Resource.of("events").with("follow", "false")), silence)) {
            read(new EventReader(in), event -> {
                sink.accept(event);
                return false;
            });
        } catch (IOException cut) {
            throw new ApiFailure(Kind.UNREACHABLE, "the connection to " + api.address() + " was lost in the middle");
        }
    }

    /**
     * Hands events to the watcher until it has enough.
     *
     * @throws ApiFailure if there is no server from the start, or not any more after a minute of trying, or it refuses
     */
    public void follow(Watcher watcher) {
        int misses = 0;
        boolean everConnected = false;
        while (true) {
            try (InputStream in = new IdleGuard(open(Resource.of("events")), silence)) {
                everConnected = true;
                misses = 0;
                if (watcher.connected() || read(new EventReader(in), watcher)) {
                    return;
                }
            } catch (IOException cut) {
                // It is made again below.
            } catch (ApiFailure failure) {
                misses++;
                if (!everConnected || !passes(failure) || misses > ATTEMPTS) {
                    throw failure;
                }
            }
            // Also where each connection stands and none brings anything the waits grow.
            inVain++;
            Duration wait = BACKOFF.delay(inVain);
            watcher.lost(wait);
            await(wait);
        }
    }

    /** A server that is just being started again is away, or in trouble; one that refuses will go on refusing. */
    private static boolean passes(ApiFailure failure) {
        return failure.is(Kind.UNREACHABLE) || failure.is(Kind.SERVER_ERROR);
    }

    private InputStream open(Resource events) {
        Map<String, String> headers = new HashMap<>(Map.of("Accept", "text/event-stream"));
        after.filter(position -> !position.isEmpty()).ifPresent(position -> headers.put("Last-Event-ID", position));
        return api.open(events.with("after", after), headers).body();
    }

    private boolean read(EventReader reader, Watcher watcher) throws IOException {
        for (Optional<ServerEvent> event = reader.next(); event.isPresent(); event = reader.next()) {
            inVain = 0;
            after = event.map(ServerEvent::id).filter(id -> !id.isEmpty()).or(() -> after);
            if (watcher.event(event.get())) {
                return true;
            }
        }
        return false;
    }

    private void await(Duration wait) {
        try {
            pause.of(wait);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new ApiFailure(
                    Kind.UNREACHABLE,
                    "interrupted while waiting %s to reach %s again"
                            .formatted(DurationText.format(wait), api.address()));
        }
    }
}
