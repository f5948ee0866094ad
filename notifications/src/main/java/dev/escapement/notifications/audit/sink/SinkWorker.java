package dev.escapement.notifications.audit.sink;

import dev.escapement.backoff.Backoff;
import dev.escapement.common.FailureLog;
import dev.escapement.common.NamedThreadFactory;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls a {@link SinkSender} on one thread: at new entries, and after the delays that it asks for. */
public final class SinkWorker implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SinkWorker.class);

    /** Sends also without a notification: another server may have appended entries. */
    private static final Duration IDLE_DELAY = Duration.ofSeconds(5);

    private static final Backoff RETRY_BACKOFF = Backoff.builder()
            .base(Duration.ofMillis(500))
            .max(Duration.ofSeconds(30))
            .build();

    private final SinkSender sender;
    private final FailureLog failureLog = new FailureLog(LOG, "Reading audit records for the sink");
    private final Semaphore appended = new Semaphore(0);
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Thread thread;

    public SinkWorker(SinkSender sender) {
        this.sender = sender;
        this.thread = NamedThreadFactory.daemonThread("audit-sink", this::run);
        thread.start();
    }

    /** Sends soon, unless the sink is unavailable. Does not block. */
    public void sendSoon() {
        appended.release();
    }

    public boolean isAlive() {
        return thread.isAlive();
    }

    private void run() {
        int failures = 0;
        try {
            while (stopped.getCount() > 0) {
                Optional<Duration> delay;
                try {
                    delay = sender.sendNext();
                    failures = 0;
                    failureLog.recordSuccess();
                } catch (RuntimeException failure) {
                    failures++;
                    failureLog.recordFailure(failure);
                    delay = Optional.of(RETRY_BACKOFF.delay(failures));
                }
                await(delay);
            }
        } catch (InterruptedException ended) {
            // Closed.
        }
    }

    /** A notification ends the wait for new entries, but not the delay after a failure. */
    private void await(Optional<Duration> delay) throws InterruptedException {
        if (delay.isEmpty()) {
            boolean notified = appended.tryAcquire(IDLE_DELAY.toNanos(), TimeUnit.NANOSECONDS);
            if (notified) {
                appended.drainPermits();
            }
        } else if (!delay.get().isZero()) {
            stopped.await(delay.get().toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    /** Stops without sending the rest: the next start does. */
    @Override
    public void close() {
        stopped.countDown();
        thread.interrupt();
        try {
            sender.release();
        } catch (RuntimeException unavailable) {
            LOG.debug("Releasing the audit sink failed; another server continues after the lease", unavailable);
        }
    }
}
