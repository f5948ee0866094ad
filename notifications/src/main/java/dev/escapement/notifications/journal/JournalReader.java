package dev.escapement.notifications.journal;

import dev.escapement.backoff.Backoff;
import dev.escapement.common.FailureLog;
import dev.escapement.common.NamedThreadFactory;
import dev.escapement.engine.port.Journal;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.LoggerFactory;

/**
 * Calls a consumer of the journal on one thread whenever records may have been appended. Waits for the journal's
 * notification; polls only after a failure, with backoff. The consumer keeps the position.
 */
public final class JournalReader implements AutoCloseable {

    private static final Backoff RETRY_BACKOFF = Backoff.builder()
            .base(Duration.ofMillis(100))
            .max(Duration.ofSeconds(5))
            .build();

    /** Processes the records after its position. Called on the thread of the reader only. */
    @FunctionalInterface
    public interface Consumer {

        /**
         * Processes the next records.
         *
         * @return whether there may be more
         */
        boolean processNext();

        /** Called before the retry of a call that threw: whether it has stored something may be unknown. */
        default void recover() {}
    }

    private final Journal journal;
    private final Duration collectionTime;
    private final Consumer consumer;
    private final FailureLog failureLog;
    private final Semaphore appended = new Semaphore(0);
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Thread thread;
    private volatile Journal.Subscription subscription = () -> {};

    /**
     * Creates a reader; {@link #start} starts it.
     *
     * @param activity the beginning of a sentence for the log, such as {@code Reading the journal}
     * @param collectionTime how long it waits for more records after a notification, so that one call processes many
     */
    public JournalReader(
            Journal journal, String threadName, String activity, Duration collectionTime, Consumer consumer) {
        this.journal = journal;
        this.collectionTime = collectionTime;
        this.consumer = consumer;
        this.failureLog = new FailureLog(LoggerFactory.getLogger(JournalReader.class), activity);
        this.thread = NamedThreadFactory.daemonThread(threadName, this::run);
    }

    /** Starts to read. */
    public JournalReader start() {
        subscription = journal.onAppend(appended::release);
        // Records may have been appended before the subscription.
        appended.release();
        thread.start();
        return this;
    }

    /** Reads soon, also without a notification: one may have been lost. Does not block. */
    public void readSoon() {
        appended.release();
    }

    public boolean isAlive() {
        return thread.isAlive();
    }

    private void run() {
        int failures = 0;
        while (!isClosed()) {
            try {
                awaitRecords(failures);
                processAll();
                failures = 0;
                failureLog.recordSuccess();
            } catch (InterruptedException ended) {
                return;
            } catch (RuntimeException failure) {
                failures++;
                failureLog.recordFailure(failure);
            }
        }
    }

    private void awaitRecords(int failures) throws InterruptedException {
        if (failures == 0) {
            appended.acquire();
            stopped.await(collectionTime.toNanos(), TimeUnit.NANOSECONDS);
        } else {
            // The notification may be lost after a failure, so read after the delay in any case.
            stopped.await(RETRY_BACKOFF.delayNanos(failures), TimeUnit.NANOSECONDS);
            consumer.recover();
        }
        appended.drainPermits();
    }

    private void processAll() {
        boolean more;
        do {
            more = consumer.processNext();
        } while (more && !isClosed());
    }

    private boolean isClosed() {
        return stopped.getCount() == 0;
    }

    /** Stops without reading the rest: the next start does. */
    @Override
    public void close() {
        stopped.countDown();
        subscription.close();
        thread.interrupt();
    }
}
