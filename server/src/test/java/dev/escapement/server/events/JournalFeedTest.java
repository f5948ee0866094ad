package dev.escapement.server.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.contract.ExecutionSamples;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.port.Journal;
import dev.escapement.engine.port.Journal.Entry;
import dev.escapement.engine.port.StoreWrite;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class JournalFeedTest {

    private final List<Entry> entries = new ArrayList<>();
    private int reads;

    private final Journal journal = new Journal() {
        @Override
        public List<Entry> read(String after, int limit) {
            reads++;
            int from = after.isEmpty() ? 0 : Integer.parseInt(after);
            return entries.stream().skip(from).limit(limit).toList();
        }

        @Override
        public String endPosition() {
            return entries.isEmpty() ? START : entries.get(entries.size() - 1).position();
        }

        @Override
        public Subscription onAppend(Runnable callback) {
            return () -> {};
        }
    };

    private final JournalFeed feed = new JournalFeed(journal, Journal.START);

    private void append(int count) {
        List<Entry> news = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int number = entries.size() + 1;
            Transition accepted = Transition.of(new StoreWrite.Creation(ExecutionSamples.execution(number)))
                    .orElseThrow();
            Entry entry = new Entry(Integer.toString(number), accepted);
            entries.add(entry);
            news.add(entry);
        }
        feed.append(news);
    }

    private static List<String> idsOf(List<JournalFeed.Event> events) {
        return events.stream().map(JournalFeed.Event::id).toList();
    }

    private static List<String> numbers(int from, int to) {
        return IntStream.rangeClosed(from, to).mapToObj(Integer::toString).toList();
    }

    @Test
    void servesCurrentReaderFromMemory() {
        append(3);
        assertThat(idsOf(feed.readAfter("", 10))).isEqualTo(numbers(1, 3));
        assertThat(idsOf(feed.readAfter("2", 10))).isEqualTo(numbers(3, 3));
        assertThat(feed.readAfter("3", 10)).isEmpty();
        assertThat(idsOf(feed.readAfter("", 2))).isEqualTo(numbers(1, 2));
        assertThat(feed.position()).isEqualTo("3");
        assertThat(reads).isZero();
    }

    @Test
    void lateReaderReadsJournalAndBufferIsBounded() {
        append(5_000);
        assertThat(idsOf(feed.readAfter("10", 3))).isEqualTo(numbers(11, 13));
        assertThat(reads).isEqualTo(1);
        assertThat(idsOf(feed.readAfter("4990", 20))).isEqualTo(numbers(4_991, 5_000));
        assertThat(idsOf(feed.readAfter("4000", 2_000))).isEqualTo(numbers(4_001, 5_000));
        assertThat(reads).isEqualTo(1);
    }

    @Test
    void subscriptionWakesForAppendAndForClose() throws InterruptedException {
        try (JournalFeed.Subscription listener = feed.subscribe()) {
            assertThat(listener.await(Duration.ofSeconds(60))).isTrue();
            append(1);
            assertThat(listener.await(Duration.ofSeconds(60))).isTrue();
            assertThat(listener.await(Duration.ofMillis(1))).isTrue();
            feed.close();
            assertThat(listener.await(Duration.ofSeconds(60))).isFalse();
            assertThat(feed.subscriberCount()).isEqualTo(1);
        }
        assertThat(feed.subscriberCount()).isZero();
    }

    private void publishProgress(int number) {
        Execution execution = ExecutionSamples.execution(number);
        Execution running = execution.withStatus(ExecutionSamples.runningStatus(execution));
        feed.onStatusChange(running, running);
    }

    @Test
    void keepsLatestProgressPerExecutionUpToLimit() {
        try (JournalFeed.Subscription listener = feed.subscribe()) {
            publishProgress(1);
            publishProgress(1);
            assertThat(listener.drainProgress()).hasSize(1);
            assertThat(listener.drainProgress()).isEmpty();
            for (int i = 0; i < 1_000; i++) {
                publishProgress(i);
            }
            assertThat(listener.drainProgress()).hasSizeBetween(1, 200);
        }
    }
}
