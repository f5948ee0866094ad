package dev.escapement.governor.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.escapement.governor.plan.NextRunPlan.Clamp;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The endpoint requests a pause with Retry-After. */
class RetryAfterPlanningTest {

    private static final Instant NOW = Instant.parse("2026-11-16T08:00:00Z");
    private static final RunPlanner PLANNER = new RunPlanner(0);
    private static final Schedule EVERY_MINUTE = Schedule.of("e", new FixedInterval(Duration.ofMinutes(1)));

    @Test
    void retryWaitsForRetryAfter() {
        NextRunPlan plan = PLANNER.planNextRun(EVERY_MINUTE, failedWithRetryAfter(Duration.ofMinutes(10)), NOW);

        assertThat(plan.at()).isEqualTo(NOW.plusSeconds(600));
        assertThat(plan.explain()).contains("delayed by the Retry-After of the endpoint");
    }

    @Test
    void ignoresRetryAfterShorterThanBackoff() {
        NextRunPlan plan = PLANNER.planNextRun(EVERY_MINUTE, failedWithRetryAfter(Duration.ofSeconds(30)), NOW);

        assertThat(plan.at()).isEqualTo(NOW.plusSeconds(120));
        assertThat(plan.clamp()).isEmpty();
    }

    @Test
    void maxIntervalOverridesRetryAfter() {
        Schedule atMostFiveMinutes = EVERY_MINUTE.withClamps(Optional.empty(), Optional.of(Duration.ofMinutes(5)));

        NextRunPlan plan = PLANNER.planNextRun(atMostFiveMinutes, failedWithRetryAfter(Duration.ofHours(10)), NOW);

        assertThat(plan.at()).isEqualTo(NOW.plusSeconds(300));
        assertThat(plan.clamp()).map(Clamp::bound).contains(Clamp.Bound.MAX);
    }

    @Test
    void minIntervalAppliesBesideRetryAfter() {
        Schedule atLeastAnHour = EVERY_MINUTE.withClamps(Optional.of(Duration.ofHours(1)), Optional.empty());

        NextRunPlan plan = PLANNER.planNextRun(atLeastAnHour, failedWithRetryAfter(Duration.ofMinutes(10)), NOW);

        assertThat(plan.at()).isEqualTo(NOW.plusSeconds(3600));
        assertThat(plan.clamp()).map(Clamp::bound).contains(Clamp.Bound.MIN);
    }

    @Test
    void ignoresRetryAfterAfterFailuresAreReset() {
        RunHistory forgiven = failedWithRetryAfter(Duration.ofHours(10)).withoutFailures();

        NextRunPlan plan = PLANNER.planNextRun(EVERY_MINUTE, forgiven, NOW.plusSeconds(1));

        assertThat(forgiven.failures()).isZero();
        assertThat(plan.at()).isEqualTo(NOW.plusSeconds(60));
    }

    @Test
    void spreadsRetriesWithSameRetryAfter() {
        Instant one = PLANNER_WITH_JITTER
                .planNextRun(scheduleWithKey("one"), failedWithRetryAfter(Duration.ofMinutes(10)), NOW)
                .at();
        Instant other = PLANNER_WITH_JITTER
                .planNextRun(scheduleWithKey("other"), failedWithRetryAfter(Duration.ofMinutes(10)), NOW)
                .at();

        assertThat(one).isAfterOrEqualTo(NOW.plusSeconds(600)).isNotEqualTo(other);
    }

    private static final RunPlanner PLANNER_WITH_JITTER = RunPlanner.withDefaultJitter();

    private static Schedule scheduleWithKey(String key) {
        return Schedule.of(key, new FixedInterval(Duration.ofMinutes(1)));
    }

    @Test
    void rejectsRetryAfterOfMoreThanOneYear() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> failedWithRetryAfter(Duration.ofDays(1000)))
                .withMessageContaining("retry-after of the last run");
    }

    private static RunHistory failedWithRetryAfter(Duration wait) {
        return RunHistory.initial(NOW.minusSeconds(60)).withFailure(NOW, NOW, Optional.of(wait));
    }
}
