package dev.escapement.kubernetes.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class EventRetryBufferTest {

    private final Exception queueFull = new IllegalStateException("full");

    private final Deque<Runnable> scheduledRetries = new ArrayDeque<>();
    private final List<Duration> retryDelays = new ArrayList<>();
    private int queuedCount;
    private long number;
    private final List<String> retriedEvents = new ArrayList<>();
    private final Set<String> failing = new HashSet<>();
    private int replayCount;
    private boolean failsOnReplay;
    private final EventRetryBuffer retryBuffer = new EventRetryBuffer(() -> queuedCount, (wait, work) -> {
        retryDelays.add(wait);
        scheduledRetries.add(work);
    });

    EventRetryBufferTest() {
        retryBuffer.onLoss(() -> {
            replayCount++;
            if (failsOnReplay) {
                lose("again", "again");
            }
        });
    }

    private void lose(String event, String orderKey) {
        lose(event, orderKey, ++number);
    }

    private void lose(String event, String orderKey, long place) {
        retryBuffer.add(event, orderKey, place, queueFull, () -> retry(event));
    }

    private boolean isHeldBack(String event, String orderKey) {
        return retryBuffer.addBehindEarlier(event, orderKey, ++number, () -> retry(event));
    }

    private void retry(String event) {
        retriedEvents.add(event);
        if (!failing.contains(event)) {
            retryBuffer.remove(event);
        }
    }

    private void runNextRetry() {
        scheduledRetries.remove().run();
    }

    @Test
    void retriesAllLostEventsOnce() {
        lose("one", "one");
        lose("two", "two");
        assertThat(scheduledRetries).hasSize(1);
        assertThat(replayCount).isZero();
        runNextRetry();
        assertThat(replayCount).isEqualTo(1);
        runNextRetry();
        assertThat(replayCount).isEqualTo(1);
        assertThat(scheduledRetries).as("no further retry").isEmpty();
        assertThat(retryBuffer.lostCount()).isEqualTo(2);
        assertThat(retriedEvents).containsExactly("one", "two");
    }

    /** A later Event did not fit into the queue, which still has an earlier one. */
    @Test
    void queuedEventIsNotHeldBackByLaterOne() {
        lose("released", "execution", 6);
        assertThat(retryBuffer.addBehindEarlier("completed", "execution", 5, () -> {}))
                .isFalse();
        lose("completed", "execution", 5);
        runNextRetry();
        assertThat(retriedEvents).containsExactly("completed", "released");
    }

    @Test
    void keepsNewestLostEvents() {
        for (int number = 0; number < EventRetryBuffer.MAX_BUFFERED + 500; number++) {
            String event = "event " + number;
            lose(event, event);
        }
        runNextRetry();
        assertThat(retriedEvents).hasSize(EventRetryBuffer.MAX_BUFFERED).first().isEqualTo("event 500");
        assertThat(replayCount).as("the others follow from the stored state").isEqualTo(1);
    }

    @Test
    void holdsBackEventsBehindLostOneOfSameOrderKey() {
        lose("accepted", "execution 1");
        assertThat(isHeldBack("skipped", "execution 1")).isTrue();
        assertThat(isHeldBack("accepted", "execution 1")).as("the first itself").isFalse();
        assertThat(isHeldBack("accepted 2", "execution 2")).isFalse();
        assertThat(retryBuffer.lostCount()).as("it was not tried").isEqualTo(1);

        failing.add("accepted");
        runNextRetry();
        assertThat(retriedEvents).containsExactly("accepted", "skipped");
        failing.clear();
        lose("accepted", "execution 1");
        assertThat(isHeldBack("skipped", "execution 1"))
                .as("the first keeps its place")
                .isTrue();

        retryBuffer.remove("accepted");
        assertThat(isHeldBack("skipped", "execution 1")).isFalse();
        retryBuffer.remove("skipped");
        assertThat(retryBuffer.isEmpty()).isTrue();
    }

    @Test
    void countsLossThatIsNotRetried() {
        retryBuffer.recordLoss("warning", queueFull);
        assertThat(retryBuffer.lostCount()).isEqualTo(1);
        assertThat(scheduledRetries).isEmpty();
    }

    @Test
    void doesNotRetryWhileEventsAreQueued() {
        lose("one", "one");
        queuedCount = 3;
        runNextRetry();
        assertThat(replayCount).isZero();
        queuedCount = 0;
        runNextRetry();
        assertThat(replayCount).isEqualTo(1);
    }

    @Test
    void backsOffWhileEventsKeepFailing() {
        failsOnReplay = true;
        lose("one", "one");
        for (int round = 0; round < 12; round++) {
            runNextRetry();
        }
        assertThat(replayCount).isEqualTo(12);
        assertThat(retryDelays.get(0)).isBetween(Duration.ofSeconds(30), Duration.ofSeconds(33));
        assertThat(retryDelays.get(11)).isBetween(Duration.ofMinutes(13), Duration.ofMinutes(15));
    }

    @Test
    void resetsBackoffAfterSuccessfulRetry() {
        lose("one", "one");
        runNextRetry();
        runNextRetry();
        lose("two", "two");
        assertThat(retryDelays.get(2)).isLessThanOrEqualTo(Duration.ofSeconds(33));
        runNextRetry();
        assertThat(replayCount).isEqualTo(2);
    }
}
