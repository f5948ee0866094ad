package dev.escapement.governor.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.governor.plan.Hint.OneShotHint;
import dev.escapement.governor.plan.NextRunPlan.Clamp;
import dev.escapement.governor.plan.NextRunPlan.PlanWithoutHints;
import dev.escapement.governor.plan.NextRunPlan.RejectedCandidate;
import dev.escapement.governor.plan.NextRunPlan.RejectedCandidate.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClampAndPauseTest {

    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final RunPlanner PLANNER = new RunPlanner(0);
    private static final Schedule EVERY_MINUTE = Schedule.of("endpoint-1", new FixedInterval(Duration.ofMinutes(1)));
    private static final OneShotHint ONE_SHOT_HINT =
            new OneShotHint(NOON.plusSeconds(5), NOON, NOON.plusSeconds(9), "ops", "test");

    /** Seconds; the baseline is 60 after now. */
    @ParameterizedTest
    @CsvSource({
        "59, ,    60, ",
        "60, ,    60, ",
        "61, ,    61, MIN",
        ",   61,  60, ",
        ",   60,  60, ",
        ",   59,  59, MAX",
        "10, 20,  20, MAX",
        "70, 80,  70, MIN",
        "60, 60,  60, ",
        "50, 50,  50, MAX",
        "70, 70,  70, MIN",
    })
    void clampsMoveChosenTime(Long min, Long max, long at, Clamp.Bound bound) {
        Schedule schedule = EVERY_MINUTE.withClamps(
                Optional.ofNullable(min).map(Duration::ofSeconds),
                Optional.ofNullable(max).map(Duration::ofSeconds));
        NextRunPlan plan = PLANNER.planNextRun(schedule, RunHistory.initial(NOON), NOON);
        assertThat(plan.at()).isEqualTo(NOON.plusSeconds(at));
        assertThat(plan.source()).isEqualTo(RunSource.BASELINE_INTERVAL);
        assertThat(plan.clamp())
                .isEqualTo(Optional.ofNullable(bound).map(given -> new Clamp(given, NOON.plusSeconds(60))));
        assertThat(plan.withoutHints()).isEqualTo(new PlanWithoutHints(plan.at(), RunSource.BASELINE_INTERVAL));
    }

    @Test
    void clampsHintsAndBackoff() {
        Schedule min = EVERY_MINUTE.withClamps(Optional.of(Duration.ofSeconds(30)), Optional.empty());
        NextRunPlan hinted = PLANNER.planNextRun(min.withHints(List.of(ONE_SHOT_HINT)), RunHistory.initial(NOON), NOON);
        assertThat(hinted.at()).isEqualTo(NOON.plusSeconds(30));
        assertThat(hinted.source()).isEqualTo(RunSource.HINT_ONE_SHOT);
        assertThat(hinted.clamp()).contains(new Clamp(Clamp.Bound.MIN, NOON.plusSeconds(5)));
        assertThat(hinted.chosen().at()).isEqualTo(NOON.plusSeconds(5));
        assertThat(hinted.withoutHints())
                .isEqualTo(new PlanWithoutHints(NOON.plusSeconds(60), RunSource.BASELINE_INTERVAL));

        Schedule max = EVERY_MINUTE.withClamps(Optional.empty(), Optional.of(Duration.ofSeconds(100)));
        NextRunPlan failing =
                PLANNER.planNextRun(max, RunHistory.initial(NOON).withFailure(NOON, NOON, Optional.empty()), NOON);
        assertThat(failing.at()).isEqualTo(NOON.plusSeconds(100));
        assertThat(failing.source()).isEqualTo(RunSource.BACKOFF);
        assertThat(failing.clamp()).contains(new Clamp(Clamp.Bound.MAX, NOON.plusSeconds(120)));
    }

    @Test
    void clampsAfterSelection() {
        Schedule schedule = EVERY_MINUTE
                .withClamps(Optional.of(Duration.ofSeconds(90)), Optional.empty())
                .withHints(List.of(ONE_SHOT_HINT));
        NextRunPlan plan = PLANNER.planNextRun(schedule, RunHistory.initial(NOON), NOON);
        assertThat(plan.source()).isEqualTo(RunSource.HINT_ONE_SHOT);
        assertThat(plan.at()).isEqualTo(plan.withoutHints().at()).isEqualTo(NOON.plusSeconds(90));
    }

    @Test
    void pauseOverridesEverything() {
        Schedule schedule = EVERY_MINUTE
                .withClamps(Optional.of(Duration.ofSeconds(30)), Optional.of(Duration.ofSeconds(40)))
                .withHints(List.of(ONE_SHOT_HINT));
        for (long end : List.of(1L, 35L, 86_400L)) {
            NextRunPlan plan =
                    PLANNER.planNextRun(schedule.pausedUntil(NOON.plusSeconds(end)), RunHistory.initial(NOON), NOON);
            assertThat(plan.at()).isEqualTo(NOON.plusSeconds(end));
            assertThat(plan.source()).isEqualTo(RunSource.PAUSE);
            assertThat(plan.clamp()).isEmpty();
            assertThat(plan.withoutHints()).isEqualTo(new PlanWithoutHints(plan.at(), RunSource.PAUSE));
            assertThat(plan.rejected())
                    .extracting(RejectedCandidate::reason)
                    .containsExactly(Reason.PAUSED, Reason.NOT_THE_EARLIEST);
        }
    }

    @Test
    void pauseEndingNowHasNoEffect() {
        NextRunPlan over = PLANNER.planNextRun(EVERY_MINUTE.pausedUntil(NOON), RunHistory.initial(NOON), NOON);
        assertThat(over.at()).isEqualTo(NOON.plusSeconds(60));
        assertThat(over.rejected()).isEmpty();
        Instant next = NOON.plusNanos(1);
        assertThat(PLANNER.planNextRun(EVERY_MINUTE.pausedUntil(next), RunHistory.initial(NOON), NOON)
                        .at())
                .isEqualTo(next);
    }
}
