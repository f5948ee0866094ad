package dev.escapement.governor.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.backoff.Backoff;
import dev.escapement.governor.plan.NextRunPlan.PlanWithoutHints;
import dev.escapement.governor.plan.RunHistory.LastRun;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Plans of healthy and failing baselines over several runs. */
class RunPlannerTest {

    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final Duration RUN_TIME = Duration.ofSeconds(3);
    private static final RunPlanner PLANNER = new RunPlanner(0);
    private static final Schedule EVERY_MINUTE = Schedule.of("endpoint-1", new FixedInterval(Duration.ofMinutes(1)));
    private static final Schedule DAILY =
            Schedule.of("endpoint-2", CronExpression.of("30 2 * * *", ZoneId.of("Europe/Berlin")));

    @Test
    void newEndpointRunsOneIntervalAfterCreation() {
        NextRunPlan plan = PLANNER.planNextRun(EVERY_MINUTE, RunHistory.initial(NOON), NOON);
        assertThat(plan.at()).isEqualTo("2026-03-01T12:01:00Z");
        assertThat(plan.source()).isEqualTo(RunSource.BASELINE_INTERVAL);
        assertThat(plan.clamp()).isEmpty();
        assertThat(plan.rejected()).isEmpty();
        assertThat(plan.withoutHints()).isEqualTo(new PlanWithoutHints(plan.at(), RunSource.BASELINE_INTERVAL));
    }

    @Test
    void backoffDoublesUpTo32IntervalsUntilSuccess() {
        RunHistory history = RunHistory.initial(NOON);
        Instant slot = PLANNER.planNextRun(EVERY_MINUTE, history, NOON).at();
        List<Long> waits = new ArrayList<>();
        for (int failure = 1; failure <= 7; failure++) {
            Instant ended = slot.plus(RUN_TIME);
            history = history.withFailure(slot, ended, Optional.empty());
            NextRunPlan plan = PLANNER.planNextRun(EVERY_MINUTE, history, ended);
            assertThat(plan.source()).isEqualTo(RunSource.BACKOFF);
            waits.add(Duration.between(ended, plan.at()).toSeconds());
            slot = plan.at();
        }
        assertThat(waits).containsExactly(120L, 240L, 480L, 960L, 1920L, 1920L, 1920L);
        assertThat(history.failures()).isEqualTo(7);

        RunHistory recovered = history.withSuccess(slot, slot.plus(RUN_TIME));
        NextRunPlan plan = PLANNER.planNextRun(EVERY_MINUTE, recovered, slot.plus(RUN_TIME));
        assertThat(plan.at()).isEqualTo(slot.plusSeconds(60));
        assertThat(plan.source()).isEqualTo(RunSource.BASELINE_INTERVAL);

        RunHistory failedAgain = recovered.withFailure(plan.at(), plan.at(), Optional.empty());
        assertThat(PLANNER.planNextRun(EVERY_MINUTE, failedAgain, plan.at()).at())
                .isEqualTo(plan.at().plusSeconds(120));
    }

    @Test
    void backoffCountsFromEndOfAttempt() {
        RunHistory history = RunHistory.initial(NOON).withFailure(NOON, NOON.plusSeconds(10), Optional.empty());
        assertThat(PLANNER.planNextRun(EVERY_MINUTE, history, NOON.plusSeconds(100))
                        .at())
                .isEqualTo(NOON.plusSeconds(130));
    }

    @ParameterizedTest
    @CsvSource({"129.999999999, 130", "130, 130.001", "86400, 86400.001"})
    void elapsedBackoffRunsAsSoonAsPossible(String nowSeconds, String nextSeconds) {
        RunHistory history = RunHistory.initial(NOON).withFailure(NOON, NOON.plusSeconds(10), Optional.empty());
        Instant now = NOON.plus(Duration.parse("PT" + nowSeconds + "S"));
        assertThat(PLANNER.planNextRun(EVERY_MINUTE, history, now).at())
                .isEqualTo(NOON.plus(Duration.parse("PT" + nextSeconds + "S")));
    }

    @Test
    void clockSetBackDoesNotLengthenBackoff() {
        RunHistory history =
                RunHistory.initial(NOON).withFailure(NOON, NOON.plus(Duration.ofDays(300)), Optional.empty());
        assertThat(PLANNER.planNextRun(EVERY_MINUTE, history, NOON).at()).isEqualTo(NOON.plusSeconds(120));
    }

    @Test
    void spreadsFailingEndpointsByKeyDeterministically() {
        Backoff backoff = Backoff.builder()
                .base(Duration.ofMinutes(2))
                .max(Duration.ofMinutes(32))
                .build();
        RunHistory history = RunHistory.initial(NOON)
                .withFailure(NOON, NOON, Optional.empty())
                .withFailure(NOON, NOON, Optional.empty());
        Instant planned = RunPlanner.withDefaultJitter()
                .planNextRun(EVERY_MINUTE, history, NOON)
                .at();
        assertThat(planned)
                .isEqualTo(NOON.plus(backoff.delay(2, "endpoint-1")))
                .isBetween(NOON.plusSeconds(216), NOON.plusSeconds(264))
                .isNotEqualTo(NOON.plusSeconds(240));
        assertThat(RunPlanner.withDefaultJitter()
                        .planNextRun(EVERY_MINUTE, history, NOON)
                        .at())
                .isEqualTo(planned);
        Schedule other = Schedule.of("endpoint-9", EVERY_MINUTE.baseline());
        assertThat(RunPlanner.withDefaultJitter()
                        .planNextRun(other, history, NOON)
                        .at())
                .isNotEqualTo(planned);
    }

    @Test
    void healthyEndpointHasNoJitter() {
        RunHistory history = RunHistory.initial(NOON);
        Instant now = NOON;
        for (int beat = 1; beat <= 1_000; beat++) {
            NextRunPlan plan = RunPlanner.withDefaultJitter().planNextRun(EVERY_MINUTE, history, now);
            assertThat(plan.at()).isEqualTo(NOON.plusSeconds(60L * beat));
            // Dispatched late and running for long, but never longer than the interval.
            now = plan.at().plusMillis(beat * 7L % 59_999);
            history = history.withSuccess(plan.at(), now);
        }
    }

    @Test
    void longRunSkipsBeatsAndStaysOnGrid() {
        RunHistory history = RunHistory.initial(NOON).withSuccess(NOON, NOON.plusSeconds(150));
        assertThat(PLANNER.planNextRun(EVERY_MINUTE, history, NOON.plusSeconds(150))
                        .at())
                .isEqualTo(NOON.plusSeconds(180));
    }

    @Test
    void downtimeCausesOneRunThenGrid() {
        RunHistory before = RunHistory.initial(NOON).withSuccess(NOON, NOON.plusSeconds(1));
        Instant back = NOON.plus(Duration.ofDays(1)).plusSeconds(17);
        NextRunPlan first = PLANNER.planNextRun(EVERY_MINUTE, before, back);
        assertThat(first.at()).isEqualTo("2026-03-02T12:01:00Z");
        RunHistory after = before.withSuccess(first.at(), first.at().plusSeconds(1));
        assertThat(PLANNER.planNextRun(EVERY_MINUTE, after, first.at().plusSeconds(1))
                        .at())
                .isEqualTo("2026-03-02T12:02:00Z");
    }

    @Test
    void cronIgnoresFailures() {
        RunHistory failing = RunHistory.initial(NOON)
                .withFailure(NOON, NOON, Optional.empty())
                .withFailure(NOON, NOON, Optional.empty());
        for (RunHistory history : List.of(RunHistory.initial(NOON), failing)) {
            NextRunPlan plan = RunPlanner.withDefaultJitter().planNextRun(DAILY, history, NOON);
            assertThat(plan.at()).isEqualTo("2026-03-02T01:30:00Z");
            assertThat(plan.source()).isEqualTo(RunSource.BASELINE_CRON);
            assertThat(RunPlanner.withDefaultJitter()
                            .planNextRun(DAILY, history, plan.at())
                            .at())
                    .isEqualTo("2026-03-03T01:30:00Z");
        }
    }

    @Test
    void longestDelaysFitIntoLimits() {
        Schedule yearly = Schedule.of("endpoint-3", new FixedInterval(ScheduleLimits.MAX_INTERVAL));
        RunHistory history = new RunHistory(
                ScheduleLimits.MAX_INSTANT,
                Integer.MAX_VALUE,
                Optional.of(new LastRun(ScheduleLimits.MAX_INSTANT, ScheduleLimits.MAX_INSTANT)));
        assertThat(PLANNER.planNextRun(yearly, history, ScheduleLimits.MAX_INSTANT)
                        .at())
                .isEqualTo(ScheduleLimits.MAX_INSTANT.plus(Duration.ofDays(366 * 32)));
        assertThat(PLANNER.planNextRun(
                                yearly, RunHistory.initial(ScheduleLimits.MIN_INSTANT), ScheduleLimits.MAX_INSTANT)
                        .at())
                .isBetween(
                        ScheduleLimits.MAX_INSTANT.plusNanos(1),
                        ScheduleLimits.MAX_INSTANT.plus(ScheduleLimits.MAX_INTERVAL));
    }
}
