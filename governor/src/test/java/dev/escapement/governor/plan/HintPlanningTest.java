package dev.escapement.governor.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.governor.plan.Hint.IntervalHint;
import dev.escapement.governor.plan.Hint.OneShotHint;
import dev.escapement.governor.plan.NextRunPlan.PlanWithoutHints;
import dev.escapement.governor.plan.NextRunPlan.RejectedCandidate;
import dev.escapement.governor.plan.NextRunPlan.RejectedCandidate.Reason;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Hints compete with the baseline and with each other. Now is ten seconds after noon; the last slot was noon. */
class HintPlanningTest {

    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final Instant NOW = NOON.plusSeconds(10);
    private static final RunPlanner PLANNER = new RunPlanner(0);
    private static final Schedule EVERY_MINUTE = Schedule.of("endpoint-1", new FixedInterval(Duration.ofMinutes(1)));
    private static final RunHistory HEALTHY = RunHistory.initial(NOON).withSuccess(NOON, NOW);
    private static final RunHistory FAILED_TWICE =
            HEALTHY.withFailure(NOON, NOW, Optional.empty()).withFailure(NOON, NOW, Optional.empty());

    /** Seconds after noon; the hint expires at 600. */
    @ParameterizedTest
    @CsvSource({
        "0, 30, 30, HINT_INTERVAL", // more often than the baseline
        "0, 7, 14, HINT_INTERVAL", // on the grid from the last slot, not from now
        "0, 90, 90, HINT_INTERVAL", // less often: the baseline at 60 does not count
        "2, 30, 40, HINT_INTERVAL", // from the end of the failed attempt, instead of the backoff at 250
        "2, 60, 70, HINT_INTERVAL",
        "2, 589, 599, HINT_INTERVAL",
    })
    void intervalHintReplacesBaselineAndBackoff(int failures, long every, double at, RunSource source) {
        NextRunPlan plan = plan(failures == 0 ? HEALTHY : FAILED_TWICE, intervalHint(every, 600));
        assertPlanned(plan, at, source);
        assertThat(rejectionReasons(plan)).containsExactly(Reason.REPLACED);
        assertThat(plan.withoutHints())
                .isEqualTo(
                        failures == 0
                                ? new PlanWithoutHints(NOON.plusSeconds(60), RunSource.BASELINE_INTERVAL)
                                : new PlanWithoutHints(NOON.plusSeconds(250), RunSource.BACKOFF));
    }

    /** Seconds after noon; the baseline is at 60, or at 250 after two failures. */
    @ParameterizedTest
    @CsvSource({
        "0, 59, 59, HINT_ONE_SHOT",
        "0, 60, 60, BASELINE_INTERVAL",
        "0, 61, 60, BASELINE_INTERVAL",
        "2, 61, 61, HINT_ONE_SHOT",
        "2, 249, 249, HINT_ONE_SHOT",
        "2, 250, 250, BACKOFF",
        "2, 251, 250, BACKOFF",
    })
    void earlierOfOneShotAndBaselineIsChosen(int failures, long oneShot, double at, RunSource source) {
        NextRunPlan plan = plan(failures == 0 ? HEALTHY : FAILED_TWICE, oneShotHint(oneShot, 600));
        assertPlanned(plan, at, source);
        assertThat(rejectionReasons(plan)).containsExactly(Reason.NOT_THE_EARLIEST);
    }

    @Test
    void earlierOfOneShotAndCronIsChosen() {
        Schedule cron = Schedule.of("endpoint-1", CronExpression.of("*/2 * * * *", ZoneOffset.UTC));
        assertPlanned(plan(cron, HEALTHY, oneShotHint(100, 600)), 100, RunSource.HINT_ONE_SHOT);
        assertPlanned(plan(cron, HEALTHY, oneShotHint(121, 600)), 120, RunSource.BASELINE_CRON);
        assertPlanned(plan(cron, HEALTHY, intervalHint(300, 600)), 300, RunSource.HINT_INTERVAL);
    }

    @ParameterizedTest
    @CsvSource({"90, 80, 80, HINT_ONE_SHOT", "90, 90, 90, HINT_INTERVAL", "90, 100, 90, HINT_INTERVAL"})
    void earlierOfBothHintsIsChosenOverBaseline(long every, long oneShot, double at, RunSource source) {
        NextRunPlan plan = plan(HEALTHY, intervalHint(every, 600), oneShotHint(oneShot, 600));
        assertPlanned(plan, at, source);
        assertThat(rejectionReasons(plan)).containsExactlyInAnyOrder(Reason.REPLACED, Reason.NOT_THE_EARLIEST);
        assertThat(plan.withoutHints())
                .isEqualTo(new PlanWithoutHints(NOON.plusSeconds(60), RunSource.BASELINE_INTERVAL));
    }

    @Test
    void earliestOfSeveralHintsIsChosen() {
        assertPlanned(
                plan(HEALTHY, intervalHint(90, 600), intervalHint(45, 600), intervalHint(50, 600)),
                45,
                RunSource.HINT_INTERVAL);
        assertPlanned(
                plan(HEALTHY, oneShotHint(50, 600), oneShotHint(45, 600), oneShotHint(55, 600)),
                45,
                RunSource.HINT_ONE_SHOT);
        assertPlanned(plan(HEALTHY, oneShotHint(1, 600), oneShotHint(45, 600)), 10.001, RunSource.HINT_ONE_SHOT);
    }

    @Test
    void ignoresExpiredHint() {
        NextRunPlan plan =
                plan(HEALTHY, intervalHint(30, 10), oneShotHint(5, 10), intervalHint(30, 9), oneShotHint(5, 9));
        assertPlanned(plan, 60, RunSource.BASELINE_INTERVAL);
        assertThat(rejectionReasons(plan)).containsOnly(Reason.EXPIRED).hasSize(4);
    }

    @Test
    void hintExpiresExactlyAtExpiry() {
        OneShotHint hint = oneShotHint(5, 30);
        assertThat(hint.isExpired(NOON.plusSeconds(30).minusNanos(1))).isFalse();
        assertThat(hint.isExpired(NOON.plusSeconds(30))).isTrue();
        Instant justBefore = NOON.plusSeconds(30).minusNanos(1);
        Schedule schedule = EVERY_MINUTE.withHints(List.of(hint));
        assertThat(PLANNER.planNextRun(schedule, HEALTHY, justBefore).source()).isEqualTo(RunSource.HINT_ONE_SHOT);
        assertThat(PLANNER.planNextRun(schedule, HEALTHY, NOON.plusSeconds(30)).source())
                .isEqualTo(RunSource.BASELINE_INTERVAL);
    }

    @ParameterizedTest
    @CsvSource({"5, 10.001", "10, 10.001", "10.000000001, 10.000000001"})
    void overdueOneShotRunsAsSoonAsPossible(String oneShot, double at) {
        Instant due = NOON.plus(Duration.parse("PT" + oneShot + "S"));
        NextRunPlan plan = plan(HEALTHY, new OneShotHint(due, NOON, NOON.plusSeconds(600), "ops", "test"));
        assertPlanned(plan, at, RunSource.HINT_ONE_SHOT);
    }

    @Test
    void oneShotIsFulfilledByFirstRunAtOrAfterItsTime() {
        Schedule schedule = EVERY_MINUTE.withHints(List.of(oneShotHint(20, 600)));
        NextRunPlan first = PLANNER.planNextRun(schedule, HEALTHY, NOW);
        assertPlanned(first, 20, RunSource.HINT_ONE_SHOT);

        for (RunHistory after : List.of(
                HEALTHY.withSuccess(first.at(), NOON.plusSeconds(22)),
                HEALTHY.withFailure(first.at(), NOON.plusSeconds(22), Optional.empty()))) {
            NextRunPlan second = PLANNER.planNextRun(schedule, after, NOON.plusSeconds(22));
            assertThat(second.source()).isNotEqualTo(RunSource.HINT_ONE_SHOT);
            assertThat(rejectionReasons(second)).containsExactly(Reason.ANSWERED);
        }
        RunHistory earlierRun = HEALTHY.withSuccess(first.at().minusNanos(1), NOON.plusSeconds(22));
        assertPlanned(PLANNER.planNextRun(schedule, earlierRun, NOON.plusSeconds(22)), 22.001, RunSource.HINT_ONE_SHOT);
    }

    @Test
    void creationDoesNotFulfilOneShot() {
        Schedule schedule = EVERY_MINUTE.withHints(List.of(oneShotHint(0, 600)));
        assertPlanned(PLANNER.planNextRun(schedule, RunHistory.initial(NOW), NOW), 10.001, RunSource.HINT_ONE_SHOT);
    }

    /** In seconds after noon: interval and expiry of a hint, and the expected plan. */
    @ParameterizedTest
    @CsvSource({
        "3600, 3601, 3600, HINT_INTERVAL",
        "3600, 3600, 3600, BASELINE_INTERVAL", // a slot of the baseline exactly at the expiry counts
        "3600, 150, 180, BASELINE_INTERVAL",
        "3600, 11, 60, BASELINE_INTERVAL",
        "31536000, 181, 240, BASELINE_INTERVAL", // an interval of a year in a hint of three minutes
    })
    void baselineResumesWhenSlowHintExpires(long every, long expiry, double at, RunSource source) {
        NextRunPlan plan = plan(HEALTHY, intervalHint(every, expiry));
        assertPlanned(plan, at, source);
        assertThat(rejectionReasons(plan))
                .isEqualTo(
                        source == RunSource.HINT_INTERVAL
                                ? List.of(Reason.REPLACED)
                                : List.of(Reason.REPLACED, Reason.EXPIRES_FIRST));
    }

    @Test
    void baselineResumesWhenLastHintExpires() {
        assertPlanned(
                plan(HEALTHY, intervalHint(3600, 150), intervalHint(3600, 200), intervalHint(3600, 170)),
                240,
                RunSource.BASELINE_INTERVAL);
        assertPlanned(plan(HEALTHY, intervalHint(3600, 150), intervalHint(100, 300)), 100, RunSource.HINT_INTERVAL);
        assertPlanned(plan(HEALTHY, intervalHint(3600, 150), oneShotHint(100, 300)), 100, RunSource.HINT_ONE_SHOT);
        assertPlanned(plan(HEALTHY, intervalHint(3600, 150), oneShotHint(200, 300)), 180, RunSource.BASELINE_INTERVAL);
    }

    @Test
    void retriesWhenSlowHintExpiresAfterBackoff() {
        assertPlanned(plan(FAILED_TWICE, intervalHint(3600, 200)), 250, RunSource.BACKOFF);
        assertPlanned(plan(FAILED_TWICE, intervalHint(3600, 250)), 250, RunSource.BACKOFF);
        assertPlanned(plan(FAILED_TWICE, intervalHint(3600, 300)), 300, RunSource.BACKOFF);
    }

    @Test
    void orderOfHintsDoesNotMatterForEqualTexts() {
        OneShotHint one = new OneShotHint(NOON.plusSeconds(20), NOON, NOON.plusSeconds(600), "a: b", "c");
        OneShotHint other = new OneShotHint(NOON.plusSeconds(20), NOON, NOON.plusSeconds(600), "a", "b: c");
        assertThat(plan(HEALTHY, one, other)).isEqualTo(plan(HEALTHY, other, one));
        assertThat(plan(HEALTHY, one, other).chosen().hint()).contains(other);
    }

    private static NextRunPlan plan(RunHistory history, Hint... hints) {
        return plan(EVERY_MINUTE, history, hints);
    }

    private static NextRunPlan plan(Schedule schedule, RunHistory history, Hint... hints) {
        return PLANNER.planNextRun(schedule.withHints(List.of(hints)), history, NOW);
    }

    private static void assertPlanned(NextRunPlan plan, double seconds, RunSource source) {
        assertThat(plan.at()).isEqualTo(NOON.plusNanos(Math.round(seconds * 1e9)));
        assertThat(plan.source()).isEqualTo(source);
    }

    private static List<Reason> rejectionReasons(NextRunPlan plan) {
        return plan.rejected().stream().map(RejectedCandidate::reason).toList();
    }

    private static IntervalHint intervalHint(long seconds, long expiry) {
        return new IntervalHint(Duration.ofSeconds(seconds), NOON, NOON.plusSeconds(expiry), "ops", "test");
    }

    private static OneShotHint oneShotHint(long seconds, long expiry) {
        return new OneShotHint(NOON.plusSeconds(seconds), NOON, NOON.plusSeconds(expiry), "ops", "test");
    }
}
