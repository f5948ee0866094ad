package dev.escapement.server.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.contract.ExecutionSamples;
import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.port.Journal;
import dev.escapement.engine.port.Journal.Entry;
import dev.escapement.engine.port.StoreWrite;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FeedTest {

    private final List<Entry> written = new ArrayList<>();
    private int reads;

    private final Journal journal = new Journal() {
        @Override
        public List<Entry> read(String after, int limit) {
            reads++;
            int from = after.isEmpty() ? 0 : Integer.parseInt(after);
            return written.stream().skip(from).limit(limit).toList();
        }

        @Override
        public String endPosition() {
            return written.isEmpty() ? START : written.get(written.size() - 1).position();
        }

        @Override
        public Subscription onAppend(Runnable callback) {
            return () -> {};
        }
    };

    private final Feed feed = new Feed(journal, Journal.START);

    private void append(int count) {
        List<Entry> news = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int number = written.size() + 1;
            Transition accepted = Transition.of(new StoreWrite.Creation(ExecutionSamples.execution(number)))
                    .orElseThrow();
            Entry entry = new Entry(Integer.toString(number), accepted);
            written.add(entry);
            news.add(entry);
        }
        feed.append(news);
    }

    private static List<String> ids(List<Event> events) {
        return events.stream().map(Event::id).toList();
    }

    private static List<String> numbers(int from, int to) {
        return IntStream.rangeClosed(from, to).mapToObj(Integer::toString).toList();
    }

    @Test
    void whoKeepsUpIsServedFromMemory() {
        append(3);
        assertThat(ids(feed.after("", 10))).isEqualTo(numbers(1, 3));
        assertThat(ids(feed.after("2", 10))).isEqualTo(numbers(3, 3));
        assertThat(feed.after("3", 10)).isEmpty();
        assertThat(ids(feed.after("", 2))).isEqualTo(numbers(1, 2));
        assertThat(feed.position()).isEqualTo("3");
        assertThat(reads).isZero();
    }

    @Test
    void whoIsLateReadsTheJournalAndWhatIsKeptIsBounded() {
        append(5_000);
        assertThat(ids(feed.after("10", 3))).isEqualTo(numbers(11, 13));
        assertThat(reads).isEqualTo(1);
        assertThat(ids(feed.after("4990", 20))).isEqualTo(numbers(4_991, 5_000));
        assertThat(ids(feed.after("4000", 2_000))).isEqualTo(numbers(4_001, 5_000));
        assertThat(reads).isEqualTo(1);
    }

    @Test
    void aListenerWakesUpForNewsAndForTheEnd() throws InterruptedException {
        try (Listener listener = feed.listen()) {
            assertThat(listener.await(Duration.ofSeconds(60))).isTrue();
            append(1);
            assertThat(listener.await(Duration.ofSeconds(60))).isTrue();
            assertThat(listener.await(Duration.ofMillis(1))).isTrue();
            feed.close();
            assertThat(listener.await(Duration.ofSeconds(60))).isFalse();
            assertThat(feed.listeners()).isEqualTo(1);
        }
        assertThat(feed.listeners()).isZero();
    }

    @Test
    void progressKeepsTheLatestOfEachAndNotTooMany() {
        var execution = ExecutionSamples.execution(1);
        try (Listener listener = feed.listen()) {
            feed.progressed(execution.withStatus(ExecutionSamples.runningStatus(execution)));
            feed.progressed(execution.withStatus(ExecutionSamples.runningStatus(execution)));
            assertThat(listener.progress()).hasSize(1);
            assertThat(listener.progress()).isEmpty();
            for (int i = 0; i < 1_000; i++) {
                feed.progressed(ExecutionSamples.execution(i)
                        .withStatus(ExecutionSamples.runningStatus(ExecutionSamples.execution(i))));
            }
            assertThat(listener.progress()).hasSizeBetween(1, 200);
        }
    }
}
