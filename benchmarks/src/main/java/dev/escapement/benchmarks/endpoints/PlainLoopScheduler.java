package dev.escapement.benchmarks.endpoints;

import dev.escapement.crashtests.kit.RecordedCall;
import dev.escapement.endpoints.http.HttpCallDispatcher;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** The upper limit: a loop that makes the calls of a timetable in their order and stores nothing. */
final class PlainLoopScheduler implements MeasuredScheduler {

    private final HttpCallDispatcher dispatcher;
    private final Semaphore permits;
    private final AtomicLong ended = new AtomicLong();
    private volatile long lastRecordedMicros;
    private volatile boolean closed;

    PlainLoopScheduler(ConcurrencyLimits limits) {
        dispatcher = BenchmarkCalls.newDispatcher(limits);
        permits = new Semaphore(Math.min(limits.concurrency(), limits.perHost()));
    }

    @Override
    public void start(Timetable timetable) {
        Thread thread = new Thread(() -> run(timetable), "plain-loop");
        thread.setDaemon(true);
        thread.start();
    }

    private void run(Timetable timetable) {
        for (long round = 1; !closed; round++) {
            for (int endpoint = 0; endpoint < timetable.count() && !closed; endpoint++) {
                sleepUntil(timetable.slot(endpoint, round));
                permits.acquireUninterruptibly();
                String key = timetable.key(endpoint, round);
                dispatcher.dispatch(BenchmarkCalls.callFor(timetable, endpoint), key, result -> {
                    permits.release();
                    ended.incrementAndGet();
                    lastRecordedMicros = RecordedCall.epochMicros(Instant.now());
                });
            }
        }
    }

    private void sleepUntil(Instant slot) {
        for (Duration left = Duration.between(Instant.now(), slot);
                !left.isNegative() && !left.isZero() && !closed;
                left = Duration.between(Instant.now(), slot)) {
            LockSupport.parkNanos(left.toNanos());
        }
    }

    @Override
    public Counters counters() {
        return new Counters(0, ended.get(), lastRecordedMicros);
    }

    @Override
    public void close() {
        closed = true;
        dispatcher.close();
    }
}
