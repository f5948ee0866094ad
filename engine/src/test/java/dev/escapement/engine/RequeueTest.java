package dev.escapement.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.common.WorkQueue.WorkResult;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RequeueTest {

    private static final Instant NOW = Instant.parse("2026-11-15T12:00:00Z");

    @Test
    void becomesResultOfWorkQueue() {
        assertThat(Requeue.IMMEDIATELY.toWorkResult(NOW)).isEqualTo(WorkResult.CONFLICT);
        assertThat(Requeue.ON_CHANGE.toWorkResult(NOW)).isEqualTo(WorkResult.DONE);
        assertThat(Requeue.NEVER.toWorkResult(NOW)).isEqualTo(WorkResult.DONE);
        assertThat(Requeue.at(NOW.plusSeconds(5)).toWorkResult(NOW))
                .isEqualTo(WorkResult.after(Duration.ofMillis(5_001)));
    }

    @Test
    void becomesEarlierButNeverLater() {
        Requeue soon = Requeue.at(NOW.plusSeconds(2));
        assertThat(Requeue.ON_CHANGE.noLaterThan(soon.deadline()).deadline()).isEqualTo(soon.deadline());
        assertThat(Requeue.at(NOW.plusSeconds(5)).noLaterThan(soon.deadline()).deadline())
                .isEqualTo(soon.deadline());
        assertThat(Requeue.at(NOW).noLaterThan(soon.deadline()).deadline()).contains(NOW);
        assertThat(Requeue.IMMEDIATELY.noLaterThan(soon.deadline())).isSameAs(Requeue.IMMEDIATELY);
        assertThat(soon.noLaterThan(Optional.empty())).isSameAs(soon);
    }

    @Test
    void deadlineInThePastIsDueNow() {
        assertThat(Requeue.at(NOW.minusSeconds(5)).toWorkResult(NOW)).isEqualTo(WorkResult.after(Duration.ZERO));
    }
}
