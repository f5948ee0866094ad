package dev.escapement.notifications.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.port.Journal;
import dev.escapement.testkit.ConditionPoller;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class JournalReaderTest {

    /** A journal whose notifications the test sends. */
    private static final class NotifyingJournal implements Journal {

        final List<Runnable> callbacks = new CopyOnWriteArrayList<>();

        @Override
        public List<Entry> read(String after, int limit) {
            return List.of();
        }

        @Override
        public String endPosition() {
            return START;
        }

        @Override
        public Subscription onAppend(Runnable callback) {
            callbacks.add(callback);
            return () -> callbacks.remove(callback);
        }

        void append() {
            callbacks.forEach(Runnable::run);
        }
    }

    /** Records the calls, and answers each with the next of the given results; then there is no more. */
    private static final class RecordingConsumer implements JournalReader.Consumer {

        final List<String> calls = new CopyOnWriteArrayList<>();
        final List<String> results = new CopyOnWriteArrayList<>();

        @Override
        public boolean processNext() {
            calls.add("process");
            String result = results.isEmpty() ? "complete" : results.remove(0);
            if (result.equals("failure")) {
                throw new IllegalStateException("the database is unavailable");
            }
            return result.equals("more");
        }

        @Override
        public void recover() {
            calls.add("recover");
        }
    }

    private final NotifyingJournal journal = new NotifyingJournal();
    private final RecordingConsumer consumer = new RecordingConsumer();
    private final JournalReader reader =
            new JournalReader(journal, "reader", "Reading the journal", Duration.ZERO, consumer);

    @AfterEach
    void close() {
        reader.close();
    }

    private void awaitCalls(int count) {
        ConditionPoller.await(count + " calls", () -> consumer.calls.size() >= count);
    }

    @Test
    void readsWhatWasAppendedBeforeTheStart() {
        reader.start();
        awaitCalls(1);
    }

    @Test
    void readsUntilNothingIsLeft() {
        consumer.results.addAll(List.of("more", "more", "complete"));
        reader.start();
        awaitCalls(3);
        assertThat(consumer.results).isEmpty();
    }

    @Test
    void readsAfterANotificationAndAfterALostOne() {
        reader.start();
        awaitCalls(1);
        journal.append();
        awaitCalls(2);
        reader.readSoon();
        awaitCalls(3);
    }

    @Test
    void recoversBeforeTheRetryOfAFailureWithoutANotification() {
        consumer.results.addAll(List.of("failure", "failure"));
        reader.start();
        awaitCalls(5);
        assertThat(consumer.calls).containsExactly("process", "recover", "process", "recover", "process");
    }

    @Test
    void closedReaderReadsNoMore() {
        reader.start();
        awaitCalls(1);
        reader.close();
        ConditionPoller.await("its thread has ended", () -> !reader.isAlive());
        assertThat(journal.callbacks).isEmpty();
    }
}
