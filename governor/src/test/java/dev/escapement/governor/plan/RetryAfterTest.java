package dev.escapement.governor.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The other side asks to be left alone for a while. */
class RetryAfterTest {

    private static final Instant NOW = Instant.parse("2026-11-16T08:00:00Z");
    private static final RunPlanner PLANNER = new RunPlanner(0);
    private static final Schedule EVERY_MINUTE = Schedule.of("e", new Interval(Duration.ofMinutes(1)));

    @Test
    void aRetryWaitsAsLongAsItWasAskedTo() {
        Plan plan = PLANNER.planNextRun(EVERY_MINUTE, askedFor(Duration.ofMinutes(10)), NOW);

        assertThat(plan.at()).isEqualTo(NOW.plusSeconds(600));
        assertThat(plan.explain()).contains("held back because the other side asked for it (Retry-After)");
    }

    @Test
    void aWishThatIsShorterThanTheBackoffChangesNothing() {
        Plan plan = PLANNER.planNextRun(EVERY_MINUTE, askedFor(Duration.ofSeconds(30)), NOW);

        assertThat(plan.at()).isEqualTo(NOW.plusSeconds(120));
        assertThat(plan.clamp()).isEmpty();
    }

    @Test
    void theMaximumIsStronger() {
        Schedule atMostFiveMinutes = EVERY_MINUTE.clampedTo(Optional.empty(), Optional.of(Duration.ofMinutes(5)));

        Plan plan = PLANNER.planNextRun(atMostFiveMinutes, askedFor(Duration.ofHours(10)), NOW);

        assertThat(plan.at()).isEqualTo(NOW.plusSeconds(300));
        assertThat(plan.clamp()).map(Clamp::bound).contains(Clamp.Bound.MAX);
    }

    @Test
    void theMinimumHoldsAsWell() {
        Schedule atLeastAnHour = EVERY_MINUTE.clampedTo(Optional.of(Duration.ofHours(1)), Optional.empty());

        Plan plan = PLANNER.planNextRun(atLeastAnHour, askedFor(Duration.ofMinutes(10)), NOW);

        assertThat(plan.at()).isEqualTo(NOW.plusSeconds(3600));
        assertThat(plan.clamp()).map(Clamp::bound).contains(Clamp.Bound.MIN);
    }

    @Test
    void whoWasForgivenIsNotHeldBack() {
        History forgiven = askedFor(Duration.ofHours(10)).forgiven();

        Plan plan = PLANNER.planNextRun(EVERY_MINUTE, forgiven, NOW.plusSeconds(1));

        assertThat(forgiven.failures()).isZero();
        assertThat(plan.at()).isEqualTo(NOW.plusSeconds(60));
    }

    @Test
    void manyThatAreAskedAtOnceDoNotComeBackAtOnce() {
        Instant one = PLANNER_WITH_JITTER
                .planNextRun(keyed("one"), askedFor(Duration.ofMinutes(10)), NOW)
                .at();
        Instant other = PLANNER_WITH_JITTER
                .planNextRun(keyed("other"), askedFor(Duration.ofMinutes(10)), NOW)
                .at();

        assertThat(one).isAfterOrEqualTo(NOW.plusSeconds(600)).isNotEqualTo(other);
    }

    private static final RunPlanner PLANNER_WITH_JITTER = RunPlanner.standard();

    private static Schedule keyed(String key) {
        return Schedule.of(key, new Interval(Duration.ofMinutes(1)));
    }

    @Test
    void aWishForMoreThanAYearIsNoWish() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> askedFor(Duration.ofDays(1000)))
                .withMessageContaining("retry-after of the last run");
    }

    private static History askedFor(Duration wait) {
        return History.fresh(NOW.minusSeconds(60)).failed(NOW, NOW, Optional.of(wait));
    }
}
