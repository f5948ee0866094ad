package dev.escapement.governor.plan.regressions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.governor.plan.FixedInterval;
import dev.escapement.governor.plan.Hint.IntervalHint;
import dev.escapement.governor.plan.NextRunPlan;
import dev.escapement.governor.plan.RunHistory;
import dev.escapement.governor.plan.RunPlanner;
import dev.escapement.governor.plan.RunSource;
import dev.escapement.governor.plan.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A run that failed just before the next slot of an interval hint used to be retried immediately. */
class FailureBackoffWithHintTest {

    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final Schedule HINTED = Schedule.of("endpoint-1", new FixedInterval(Duration.ofMinutes(1)))
            .withHints(List.of(
                    new IntervalHint(Duration.ofSeconds(30), NOON, NOON.plusSeconds(3_600), "ada", "watching it")));

    @Test
    void failingEndpointWaitsFromEndOfAttemptWithHint() {
        Instant timedOut = NOON.plusMillis(29_999);
        RunHistory history = Stream.iterate(
                        RunHistory.initial(NOON), before -> before.withFailure(NOON, timedOut, Optional.empty()))
                .skip(6)
                .findFirst()
                .orElseThrow();
        NextRunPlan exact = new RunPlanner(0).planNextRun(HINTED, history, timedOut);
        assertThat(exact.source()).isEqualTo(RunSource.HINT_INTERVAL);
        assertThat(exact.at()).isEqualTo(timedOut.plusSeconds(30));
        assertThat(RunPlanner.withDefaultJitter()
                        .planNextRun(HINTED, history, timedOut)
                        .at())
                .isBetween(timedOut.plusSeconds(30), timedOut.plusSeconds(33));
    }

    @Test
    void healthyEndpointKeepsGridOfHint() {
        RunHistory history = RunHistory.initial(NOON).withSuccess(NOON, NOON.plusSeconds(29));
        assertThat(RunPlanner.withDefaultJitter()
                        .planNextRun(HINTED, history, NOON.plusSeconds(29))
                        .at())
                .isEqualTo(NOON.plusSeconds(30));
    }
}
