package dev.escapement.governor.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.governor.plan.Rejection.Why;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Hints against the baseline and against each other. It is ten seconds past noon, and the last slot was noon. */
class HintsTest {

    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final Instant NOW = NOON.plusSeconds(10);
    private static final RunPlanner PLANNER = new RunPlanner(0);
    private static final Schedule EVERY_MINUTE = Schedule.of("endpoint-1", new Interval(Duration.ofMinutes(1)));
    private static final History HEALTHY = History.fresh(NOON).succeeded(NOON, NOW);
    private static final History FAILED_TWICE = HEALTHY.failed(NOON, NOW).failed(NOON, NOW);

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
    void anIntervalHintReplacesBaselineAndBackoff(int failures, long every, double at, RunSource source) {
        Plan plan = plan(failures == 0 ? HEALTHY : FAILED_TWICE, every(every, 600));
        verify(plan, at, source);
        assertThat(whys(plan)).containsExactly(Why.REPLACED);
        assertThat(plan.withoutHints())
                .isEqualTo(
                        failures == 0
                                ? new Counterfactual(NOON.plusSeconds(60), RunSource.BASELINE_INTERVAL)
                                : new Counterfactual(NOON.plusSeconds(250), RunSource.BACKOFF));
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
    void aOneShotCompetesWithTheBaselineAndTheEarlierWins(int failures, long oneShot, double at, RunSource source) {
        Plan plan = plan(failures == 0 ? HEALTHY : FAILED_TWICE, once(oneShot, 600));
        verify(plan, at, source);
        assertThat(whys(plan)).containsExactly(Why.NOT_THE_EARLIEST);
    }

    @Test
    void aOneShotCompetesWithCronAsWell() {
        Schedule cron = Schedule.of("endpoint-1", Cron.of("*/2 * * * *", ZoneOffset.UTC));
        verify(plan(cron, HEALTHY, once(100, 600)), 100, RunSource.HINT_ONE_SHOT);
        verify(plan(cron, HEALTHY, once(121, 600)), 120, RunSource.BASELINE_CRON);
        verify(plan(cron, HEALTHY, every(300, 600)), 300, RunSource.HINT_INTERVAL);
    }

    @ParameterizedTest
    @CsvSource({"90, 80, 80, HINT_ONE_SHOT", "90, 90, 90, HINT_INTERVAL", "90, 100, 90, HINT_INTERVAL"})
    void withBothTheEarlierOfTheTwoWinsAndTheBaselineIsIgnored(long every, long oneShot, double at, RunSource source) {
        Plan plan = plan(HEALTHY, every(every, 600), once(oneShot, 600));
        verify(plan, at, source);
        assertThat(whys(plan)).containsExactlyInAnyOrder(Why.REPLACED, Why.NOT_THE_EARLIEST);
        assertThat(plan.withoutHints())
                .isEqualTo(new Counterfactual(NOON.plusSeconds(60), RunSource.BASELINE_INTERVAL));
    }

    @Test
    void ofSeveralHintsOfAKindTheEarliestCandidateWins() {
        verify(plan(HEALTHY, every(90, 600), every(45, 600), every(50, 600)), 45, RunSource.HINT_INTERVAL);
        verify(plan(HEALTHY, once(50, 600), once(45, 600), once(55, 600)), 45, RunSource.HINT_ONE_SHOT);
        verify(plan(HEALTHY, once(1, 600), once(45, 600)), 10.001, RunSource.HINT_ONE_SHOT);
    }

    @Test
    void anExpiredHintDoesNothing() {
        Plan plan = plan(HEALTHY, every(30, 10), once(5, 10), every(30, 9), once(5, 9));
        verify(plan, 60, RunSource.BASELINE_INTERVAL);
        assertThat(whys(plan)).containsOnly(Why.EXPIRED).hasSize(4);
    }

    @Test
    void aHintIsExpiredAtItsExpiryAndNotANanosecondBefore() {
        OneShotHint hint = once(5, 30);
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
    void aOneShotThatIsOverdueRunsAsSoonAsPossible(String oneShot, double at) {
        Instant due = NOON.plus(Duration.parse("PT" + oneShot + "S"));
        Plan plan = plan(HEALTHY, new OneShotHint(due, NOON, NOON.plusSeconds(600), "ops", "test"));
        verify(plan, at, RunSource.HINT_ONE_SHOT);
    }

    @Test
    void aOneShotIsAnsweredByTheFirstRunAtOrAfterItsTimeAndDoesNotComeBack() {
        Schedule schedule = EVERY_MINUTE.withHints(List.of(once(20, 600)));
        Plan first = PLANNER.planNextRun(schedule, HEALTHY, NOW);
        verify(first, 20, RunSource.HINT_ONE_SHOT);

        for (History after : List.of(
                HEALTHY.succeeded(first.at(), NOON.plusSeconds(22)),
                HEALTHY.failed(first.at(), NOON.plusSeconds(22)))) {
            Plan second = PLANNER.planNextRun(schedule, after, NOON.plusSeconds(22));
            assertThat(second.source()).isNotEqualTo(RunSource.HINT_ONE_SHOT);
            assertThat(whys(second)).containsExactly(Why.ANSWERED);
        }
        History earlierRun = HEALTHY.succeeded(first.at().minusNanos(1), NOON.plusSeconds(22));
        verify(PLANNER.planNextRun(schedule, earlierRun, NOON.plusSeconds(22)), 22.001, RunSource.HINT_ONE_SHOT);
    }

    @Test
    void creationIsNotARunAndAnswersNothing() {
        Schedule schedule = EVERY_MINUTE.withHints(List.of(once(0, 600)));
        verify(PLANNER.planNextRun(schedule, History.fresh(NOW), NOW), 10.001, RunSource.HINT_ONE_SHOT);
    }

    /** Seconds after noon: a hint of the given interval and expiry, and what comes of it. */
    @ParameterizedTest
    @CsvSource({
        "3600, 3601, 3600, HINT_INTERVAL",
        "3600, 3600, 3600, BASELINE_INTERVAL", // a beat of the baseline that is exactly at the expiry counts
        "3600, 150, 180, BASELINE_INTERVAL",
        "3600, 11, 60, BASELINE_INTERVAL",
        "31536000, 181, 240, BASELINE_INTERVAL", // a year's wait for a hint of three minutes
    })
    void theBaselineIsBackAsSoonAsASlowHintExpires(long every, long expiry, double at, RunSource source) {
        Plan plan = plan(HEALTHY, every(every, expiry));
        verify(plan, at, source);
        assertThat(whys(plan))
                .isEqualTo(
                        source == RunSource.HINT_INTERVAL
                                ? List.of(Why.REPLACED)
                                : List.of(Why.REPLACED, Why.EXPIRES_FIRST));
    }

    @Test
    void theBaselineIsBackWhenTheLastOfSeveralHintsExpires() {
        verify(plan(HEALTHY, every(3600, 150), every(3600, 200), every(3600, 170)), 240, RunSource.BASELINE_INTERVAL);
        verify(plan(HEALTHY, every(3600, 150), every(100, 300)), 100, RunSource.HINT_INTERVAL);
        verify(plan(HEALTHY, every(3600, 150), once(100, 300)), 100, RunSource.HINT_ONE_SHOT);
        verify(plan(HEALTHY, every(3600, 150), once(200, 300)), 180, RunSource.BASELINE_INTERVAL);
    }

    @Test
    void aBackoffThatEndedUnderASlowHintEndsWithIt() {
        verify(plan(FAILED_TWICE, every(3600, 200)), 250, RunSource.BACKOFF);
        verify(plan(FAILED_TWICE, every(3600, 250)), 250, RunSource.BACKOFF);
        verify(plan(FAILED_TWICE, every(3600, 300)), 300, RunSource.BACKOFF);
    }

    @Test
    void theOrderOfHintsMakesNoDifferenceEvenIfTheyReadTheSame() {
        OneShotHint one = new OneShotHint(NOON.plusSeconds(20), NOON, NOON.plusSeconds(600), "a: b", "c");
        OneShotHint other = new OneShotHint(NOON.plusSeconds(20), NOON, NOON.plusSeconds(600), "a", "b: c");
        assertThat(plan(HEALTHY, one, other)).isEqualTo(plan(HEALTHY, other, one));
        assertThat(plan(HEALTHY, one, other).chosen().hint()).contains(other);
    }

    private static Plan plan(History history, Hint... hints) {
        return plan(EVERY_MINUTE, history, hints);
    }

    private static Plan plan(Schedule schedule, History history, Hint... hints) {
        return PLANNER.planNextRun(schedule.withHints(List.of(hints)), history, NOW);
    }

    private static void verify(Plan plan, double seconds, RunSource source) {
        assertThat(plan.at()).isEqualTo(NOON.plusNanos(Math.round(seconds * 1e9)));
        assertThat(plan.source()).isEqualTo(source);
    }

    private static List<Why> whys(Plan plan) {
        return plan.rejected().stream().map(Rejection::why).toList();
    }

    private static IntervalHint every(long seconds, long expiry) {
        return new IntervalHint(Duration.ofSeconds(seconds), NOON, NOON.plusSeconds(expiry), "ops", "test");
    }

    private static OneShotHint once(long seconds, long expiry) {
        return new OneShotHint(NOON.plusSeconds(seconds), NOON, NOON.plusSeconds(expiry), "ops", "test");
    }
}
