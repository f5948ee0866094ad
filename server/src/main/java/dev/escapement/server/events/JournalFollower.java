package dev.escapement.server.events;

import dev.escapement.backoff.Backoff;
import dev.escapement.common.FailureLog;
import dev.escapement.common.NamedThreadFactory;
import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.port.Journal;
import dev.escapement.engine.port.Journal.Entry;
import dev.escapement.server.metrics.JournalMetrics;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.LoggerFactory;

/**
 * Reads new journal entries on one thread and dispatches them in order: to the event feed, the metrics, the log and a
 * listener. Waits for the journal's notification; polls only after a failure, with backoff.
 */
public final class JournalFollower implements AutoCloseable {

    private static final int BATCH_SIZE = 500;
    private static final Backoff RETRY_BACKOFF = Backoff.builder()
            .base(Duration.ofMillis(100))
            .max(Duration.ofSeconds(5))
            .build();

    private final Journal journal;
    private final JournalFeed feed;
    private final JournalMetrics metrics;
    private final Consumer<Transition> listener;
    private final FailureLog failureLog =
            new FailureLog(LoggerFactory.getLogger(JournalFollower.class), "Reading the journal");
    private final Semaphore appended = new Semaphore(0);
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Journal.Subscription subscription;
    private final Thread thread;
    private String position;

    /**
     * Starts to read after the position of the feed.
     *
     * @param listener must not block or throw
     */
    public JournalFollower(Journal journal, JournalFeed feed, JournalMetrics metrics, Consumer<Transition> listener) {
        this.journal = journal;
        this.position = feed.position();
        this.feed = feed;
        this.metrics = metrics;
        this.listener = listener;
        this.thread = NamedThreadFactory.daemon("journal").newThread(this::run);
        this.subscription = journal.onAppend(appended::release);
        // Entries may have been appended before the subscription.
        appended.release();
        thread.start();
    }

    public boolean isAlive() {
        return thread.isAlive();
    }

    private void run() {
        int failures = 0;
        while (!isClosed()) {
            try {
                awaitAppend(failures);
                readAll();
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

    private void awaitAppend(int failures) throws InterruptedException {
        if (failures == 0) {
            appended.acquire();
        } else {
            // The notification may be lost after a failure, so read after the delay in any case.
            stopped.await(RETRY_BACKOFF.delayNanos(failures), TimeUnit.NANOSECONDS);
        }
        appended.drainPermits();
    }

    private void readAll() {
        List<Entry> read;
        do {
            read = journal.read(position, BATCH_SIZE);
            if (!read.isEmpty()) {
                dispatch(read);
                position = read.get(read.size() - 1).position();
            }
        } while (read.size() == BATCH_SIZE && !isClosed());
    }

    private void dispatch(List<Entry> entries) {
        feed.append(entries);
        for (Entry entry : entries) {
            metrics.count(entry.transition());
            TransitionLogger.log(entry.transition());
            listener.accept(entry.transition());
        }
    }

    private boolean isClosed() {
        return stopped.getCount() == 0;
    }

    @Override
    public void close() {
        stopped.countDown();
        subscription.close();
        thread.interrupt();
    }
}
