package dev.escapement.kubernetes.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

class EventRetryBufferTest {

    private final Exception queueFull = new IllegalStateException("full");

    private final Deque<Runnable> scheduledRetries = new ArrayDeque<>();
    private final List<Duration> retryDelays = new ArrayList<>();
    private int queuedCount;
    private final List<String> retriedEvents = new ArrayList<>();
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
                retryBuffer.add("again", queueFull, () -> retriedEvents.add("again"));
            }
        });
    }

    private void runNextRetry() {
        scheduledRetries.remove().run();
    }

    @Test
    void retriesAllLostEventsOnce() {
        retryBuffer.add("one", queueFull, () -> retriedEvents.add("one"));
        retryBuffer.add("two", queueFull, () -> retriedEvents.add("two"));
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

    @Test
    void keepsAtMostThousandLostEvents() {
        for (int number = 0; number < 1_500; number++) {
            String event = "event " + number;
            retryBuffer.add(event, queueFull, () -> retriedEvents.add(event));
        }
        runNextRetry();
        assertThat(retriedEvents).hasSize(1_000).first().isEqualTo("event 500");
        assertThat(replayCount).as("the others follow from the stored state").isEqualTo(1);
    }

    @Test
    void doesNotRetryWhileEventsAreQueued() {
        retryBuffer.add("one", queueFull, () -> retriedEvents.add("one"));
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
        retryBuffer.add("one", queueFull, () -> retriedEvents.add("one"));
        for (int round = 0; round < 12; round++) {
            runNextRetry();
        }
        assertThat(replayCount).isEqualTo(12);
        assertThat(retryDelays.get(0)).isBetween(Duration.ofSeconds(30), Duration.ofSeconds(33));
        assertThat(retryDelays.get(11)).isBetween(Duration.ofMinutes(13), Duration.ofMinutes(15));
    }

    @Test
    void resetsBackoffAfterSuccessfulRetry() {
        retryBuffer.add("one", queueFull, () -> retriedEvents.add("one"));
        runNextRetry();
        runNextRetry();
        retryBuffer.add("two", queueFull, () -> retriedEvents.add("two"));
        assertThat(retryDelays.get(2)).isLessThanOrEqualTo(Duration.ofSeconds(33));
        runNextRetry();
        assertThat(replayCount).isEqualTo(2);
    }
}
