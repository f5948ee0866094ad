package dev.escapement.endpoints.worker;

import dev.escapement.backoff.Backoff;
import dev.escapement.endpoints.Planning;
import dev.escapement.endpoints.call.Dispatcher;
import dev.escapement.endpoints.store.EndpointStore;
import dev.escapement.engine.port.Journal;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs endpoints that are due, until it is closed: one thread that takes turns, and rests until the next due time, a
 * landing or a change. Any number of workers may share a store.
 */
public final class Worker implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Worker.class);

    private static final Backoff TROUBLE = Backoff.builder()
            .base(Duration.ofMillis(100))
            .max(Duration.ofSeconds(10))
            .build();

    private static final Duration LAST_WORDS = Duration.ofSeconds(5);
    private static final Duration A_DAY = Duration.ofDays(1);

    private final EndpointStore store;
    private final Dispatcher dispatcher;
    private final Turns turns;
    private final Rest rest = new Rest();
    private final AtomicBoolean changed = new AtomicBoolean();
    private final Journal.Subscription subscription;
    private final Thread thread = new Thread(this::run, "escapement-endpoints");
    private volatile boolean closing;
    private volatile boolean over;

    private Worker(
            EndpointStore store,
            Dispatcher dispatcher,
            Planning planning,
            WorkerSettings settings,
            WorkerListener listener) {
        this.store = store;
        this.dispatcher = dispatcher;
        this.turns = new Turns(
                store,
                dispatcher,
                planning,
                settings,
                listener,
                () -> UUID.randomUUID().toString(),
                rest::landed);
        this.subscription = store.onChange(() -> {
            changed.set(true);
            rest.poke();
        });
        thread.setDaemon(true);
    }

    /**
     * Starts one.
     *
     * @param dispatcher from now on the worker's, which closes it
     */
    public static Worker start(
            EndpointStore store,
            Dispatcher dispatcher,
            Planning planning,
            WorkerSettings settings,
            WorkerListener listener) {
        Worker worker = new Worker(store, dispatcher, planning, settings, listener);
        worker.thread.start();
        return worker;
    }

    /** Whether its thread is there. */
    public boolean isAlive() {
        return thread.isAlive();
    }

    /** Calls that are under way. */
    public int inFlight() {
        return turns.inFlight();
    }

    /** Calls that have ended and are not recorded yet. */
    public int unrecorded() {
        return turns.unrecorded();
    }

    private void run() {
        int failures = 0;
        while (!isOver()) {
            Duration wait;
            try {
                wait = turn();
                failures = 0;
            } catch (RuntimeException problem) {
                failures++;
                wait = TROUBLE.delay(failures);
                complain(failures, problem);
            }
            long breath = failures > 0 ? wait.toNanos() : turns.isPressed() ? 0 : Turns.BREATH.toNanos();
            try {
                rest.await(wait.toNanos(), breath);
            } catch (InterruptedException interrupted) {
                // Nobody but the end of the program does this.
                over = true;
            }
        }
    }

    private Duration turn() {
        if (closing) {
            turns.stop();
        }
        if (changed.getAndSet(false)) {
            turns.lookSoon();
        }
        Instant next = turns.turn();
        Duration wait = next.equals(Instant.MAX)
                ? A_DAY
                : Duration.between(store.clock().instant(), next);
        return wait.compareTo(A_DAY) > 0 ? A_DAY : wait;
    }

    /** Once in words; while it lasts, not again and again. */
    private static void complain(int failures, RuntimeException problem) {
        if (failures == 1) {
            LOG.warn("endpoints cannot be claimed or recorded now; it goes on by itself: {}", problem.getMessage());
        }
        LOG.debug("endpoints cannot be claimed or recorded", problem);
    }

    private boolean isOver() {
        return over || (closing && turns.inFlight() == 0 && turns.unrecorded() == 0);
    }

    /**
     * Ends it.
     *
     * @param grace so long may calls take that are under way; those that take longer are left to the next worker
     */
    public void close(Duration grace) {
        subscription.close();
        closing = true;
        rest.poke();
        try {
            thread.join(Math.max(1, grace.toMillis()));
            dispatcher.close();
            rest.poke();
            thread.join(LAST_WORDS.toMillis());
            over = true;
            rest.poke();
            thread.join(LAST_WORDS.toMillis());
        } catch (InterruptedException interrupted) {
            over = true;
            dispatcher.close();
            Thread.currentThread().interrupt();
        }
    }

    /** Ends it at once. */
    @Override
    public void close() {
        close(Duration.ZERO);
    }
}
