package dev.escapement.benchmarks.endpoints;

import dev.escapement.endpoints.http.HttpCallDispatcher;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** The limit: a loop that makes the calls of a timetable in their order, and keeps nothing. */
final class PlainLoop implements Subject {

    private final HttpCallDispatcher dispatcher;
    private final Semaphore free;
    private final AtomicLong ended = new AtomicLong();
    private volatile long last;
    private volatile boolean closed;

    PlainLoop(Knobs knobs) {
        dispatcher = Calls.dispatcher(knobs);
        free = new Semaphore(Math.min(knobs.concurrency(), knobs.perHost()));
    }

    @Override
    public void begin(Timetable timetable) {
        Thread thread = new Thread(() -> run(timetable), "plain-loop");
        thread.setDaemon(true);
        thread.start();
    }

    private void run(Timetable timetable) {
        for (long round = 1; !closed; round++) {
            for (int endpoint = 0; endpoint < timetable.count() && !closed; endpoint++) {
                await(timetable.slot(endpoint, round));
                free.acquireUninterruptibly();
                dispatcher.dispatch(Calls.of(timetable, endpoint, round), answer -> {
                    free.release();
                    ended.incrementAndGet();
                    last = Arrival.micros(Instant.now());
                });
            }
        }
    }

    private void await(Instant slot) {
        for (Duration left = Duration.between(Instant.now(), slot);
                !left.isNegative() && !left.isZero() && !closed;
                left = Duration.between(Instant.now(), slot)) {
            LockSupport.parkNanos(left.toNanos());
        }
    }

    @Override
    public Tally tally() {
        return new Tally(0, ended.get(), last);
    }

    @Override
    public void close() {
        closed = true;
        dispatcher.close();
    }
}
