package dev.escapement.kubernetes.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

class LossesTest {

    private final Exception full = new IllegalStateException("full");

    private final Deque<Runnable> later = new ArrayDeque<>();
    private final List<Duration> waits = new ArrayList<>();
    private int waiting;
    private final List<String> retold = new ArrayList<>();
    private int again;
    private boolean losesAgain;
    private final Losses losses = new Losses(() -> waiting, (wait, work) -> {
        waits.add(wait);
        later.add(work);
    });

    LossesTest() {
        losses.onLoss(() -> {
            again++;
            if (losesAgain) {
                losses.lost("again", full, () -> retold.add("again"));
            }
        });
    }

    private void timePasses() {
        later.remove().run();
    }

    @Test
    void afterLossesEverythingIsToldAgainOnce() {
        losses.lost("one", full, () -> retold.add("one"));
        losses.lost("two", full, () -> retold.add("two"));
        assertThat(later).hasSize(1);
        assertThat(again).isZero();
        timePasses();
        assertThat(again).isEqualTo(1);
        timePasses();
        assertThat(again).isEqualTo(1);
        assertThat(later).as("it is over").isEmpty();
        assertThat(losses.count()).isEqualTo(2);
        assertThat(retold).containsExactly("one", "two");
    }

    @Test
    void manyLossesDoNotFillTheMemory() {
        for (int number = 0; number < 1_500; number++) {
            String event = "event " + number;
            losses.lost(event, full, () -> retold.add(event));
        }
        timePasses();
        assertThat(retold).hasSize(1_000).first().isEqualTo("event 500");
        assertThat(again).as("of the others, what is stored tells").isEqualTo(1);
    }

    @Test
    void nothingIsToldAgainWhileSomethingWaits() {
        losses.lost("one", full, () -> retold.add("one"));
        waiting = 3;
        timePasses();
        assertThat(again).isZero();
        waiting = 0;
        timePasses();
        assertThat(again).isEqualTo(1);
    }

    @Test
    void whatIsRefusedForGoodIsTriedMoreAndMoreSeldom() {
        losesAgain = true;
        losses.lost("one", full, () -> retold.add("one"));
        for (int round = 0; round < 12; round++) {
            timePasses();
        }
        assertThat(again).isEqualTo(12);
        assertThat(waits.get(0)).isBetween(Duration.ofSeconds(30), Duration.ofSeconds(33));
        assertThat(waits.get(11)).isBetween(Duration.ofMinutes(13), Duration.ofMinutes(15));
    }

    @Test
    void theNextLossBeginsAnew() {
        losses.lost("one", full, () -> retold.add("one"));
        timePasses();
        timePasses();
        losses.lost("two", full, () -> retold.add("two"));
        assertThat(waits.get(2)).isLessThanOrEqualTo(Duration.ofSeconds(33));
        timePasses();
        assertThat(again).isEqualTo(2);
    }
}
