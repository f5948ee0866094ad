package dev.escapement.governor.plan.regressions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.governor.plan.History;
import dev.escapement.governor.plan.Interval;
import dev.escapement.governor.plan.IntervalHint;
import dev.escapement.governor.plan.Plan;
import dev.escapement.governor.plan.RunPlanner;
import dev.escapement.governor.plan.RunSource;
import dev.escapement.governor.plan.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** An attempt that failed just before the next beat of an interval hint used to be tried again at once. */
class FailingUnderAHintTest {

    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final Schedule HINTED = Schedule.of("endpoint-1", new Interval(Duration.ofMinutes(1)))
            .withHints(List.of(
                    new IntervalHint(Duration.ofSeconds(30), NOON, NOON.plusSeconds(3_600), "ada", "watching it")));

    @Test
    void aFailingEndpointWaitsFromTheEndOfTheAttemptUnderAHintToo() {
        Instant timedOut = NOON.plusMillis(29_999);
        History history = Stream.iterate(History.fresh(NOON), before -> before.failed(NOON, timedOut))
                .skip(6)
                .findFirst()
                .orElseThrow();
        Plan exact = new RunPlanner(0).planNextRun(HINTED, history, timedOut);
        assertThat(exact.source()).isEqualTo(RunSource.HINT_INTERVAL);
        assertThat(exact.at()).isEqualTo(timedOut.plusSeconds(30));
        assertThat(RunPlanner.standard().planNextRun(HINTED, history, timedOut).at())
                .isBetween(timedOut.plusSeconds(30), timedOut.plusSeconds(33));
    }

    @Test
    void aHealthyOneKeepsTheBeatOfTheHint() {
        History history = History.fresh(NOON).succeeded(NOON, NOON.plusMillis(29_999));
        assertThat(RunPlanner.standard()
                        .planNextRun(HINTED, history, NOON.plusMillis(29_999))
                        .at())
                .isEqualTo(NOON.plusSeconds(30));
    }
}
