package dev.escapement.governor.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.governor.plan.Hint.IntervalHint;
import dev.escapement.governor.plan.Hint.OneShotHint;
import dev.escapement.governor.plan.NextRunPlan.Clamp.Bound;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The smallest rest between the end of a run and the next slot of an interval. */
class SmallestRestTest {

    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final RunPlanner PLANNER = RunPlanner.withDefaultJitter();

    private static Schedule every(String interval) {
        return Schedule.of("endpoint-1", new FixedInterval(Duration.parse(interval)));
    }

    /** Returns the plan after a run that had its slot at noon and has just ended. */
    private static NextRunPlan planAfterRun(Schedule schedule, Duration runTime) {
        Instant ended = NOON.plus(runTime);
        RunHistory history = RunHistory.initial(NOON).withSuccess(NOON, ended);
        return PLANNER.planNextRun(schedule, history, ended);
    }

    @ParameterizedTest
    @CsvSource({
        "PT15S, PT29.9S, PT1S", // a second
        "PT15S, PT14S, PT1S", // exactly the rest: on the grid
        "PT15S, PT13S, PT2S",
        "PT5S, PT4.9S, PT0.5S", // a tenth of the interval
        "PT1S, PT3.95S, PT0.1S",
        "PT1H, PT59M59.999S, PT1S"
    })
    void restsASecondOrATenthOfTheInterval(String interval, String runTime, String rest) {
        Duration duration = Duration.parse(runTime);
        NextRunPlan plan = planAfterRun(every(interval), duration);
        assertThat(Duration.between(NOON.plus(duration), plan.at())).isEqualTo(Duration.parse(rest));
        assertThat(plan.source()).isEqualTo(RunSource.BASELINE_INTERVAL);
    }

    @Test
    void saysInTheExplanationWhatDelayedTheRun() {
        NextRunPlan plan = planAfterRun(every("PT15S"), Duration.parse("PT29.9S"));
        assertThat(plan.clamp()).contains(new NextRunPlan.Clamp(Bound.REST, NOON.plusSeconds(30)));
        assertThat(plan.explain()).isEqualTo("""
            Runs next at 2026-03-01T12:00:30.900Z: baseline interval (every 15s).
            It was delayed by the smallest rest after a run; it would have been 2026-03-01T12:00:30Z.\
            """);
        assertThat(planAfterRun(every("PT15S"), Duration.ofSeconds(20)).clamp()).isEmpty();
    }

    /** A delayed run does not move the grid, and no run follows the one before it too soon. */
    @Test
    void everyRunOfASlowEndpointRests() {
        Duration runTime = Duration.parse("PT14.95S");
        RunHistory history = RunHistory.initial(NOON);
        Instant now = NOON;
        List<Duration> rests = new ArrayList<>();
        for (int run = 0; run < 10; run++) {
            Instant slot = PLANNER.planNextRun(every("PT15S"), history, now).at();
            if (run > 0) {
                rests.add(Duration.between(now, slot));
            }
            now = slot.plus(runTime);
            history = history.withSuccess(slot, now);
        }
        assertThat(rests).allMatch(rest -> rest.compareTo(Duration.ofSeconds(1)) >= 0);
        assertThat(history.origin()).isEqualTo(NOON);
    }

    @Test
    void appliesToIntervalHintsByTheirInterval() {
        Instant ended = NOON.plusMillis(1_990);
        RunHistory history = RunHistory.initial(NOON).withSuccess(NOON, ended);
        var hint = new IntervalHint(Duration.ofSeconds(2), NOON, NOON.plusSeconds(600), "ada", "watching");
        NextRunPlan plan = PLANNER.planNextRun(every("PT1H").withHints(List.of(hint)), history, ended);
        assertThat(plan.source()).isEqualTo(RunSource.HINT_INTERVAL);
        assertThat(plan.at()).isEqualTo(ended.plusMillis(200));
    }

    @Test
    void doesNotDelayOneShotHintsAndCron() {
        Instant ended = NOON.plusMillis(59_990);
        RunHistory history = RunHistory.initial(NOON).withSuccess(NOON, ended);
        var once = new OneShotHint(ended.plusMillis(5), NOON, NOON.plusSeconds(600), "ada", "once");
        NextRunPlan hinted = PLANNER.planNextRun(every("PT1H").withHints(List.of(once)), history, ended);
        assertThat(hinted.at()).isEqualTo(ended.plusMillis(5));
        Schedule cron = Schedule.of("endpoint-1", CronExpression.of("* * * * *", ZoneOffset.UTC));
        assertThat(PLANNER.planNextRun(cron, history, ended).at()).isEqualTo(NOON.plusSeconds(60));
    }

    @Test
    void staysWithinTheMaximumInterval() {
        Schedule schedule = every("PT1M").withClamps(Optional.empty(), Optional.of(Duration.ofMillis(500)));
        NextRunPlan plan = planAfterRun(schedule, Duration.ofMillis(59_990));
        assertThat(plan.at()).isEqualTo(NOON.plusMillis(59_990 + 500));
        assertThat(plan.clamp().orElseThrow().bound()).isEqualTo(Bound.MAX);
    }

    @Test
    void canBeSetAndSwitchedOff() {
        Duration runTime = Duration.ofMillis(59_990);
        RunHistory history = RunHistory.initial(NOON).withSuccess(NOON, NOON.plus(runTime));
        Schedule schedule = every("PT1M");
        assertThat(PLANNER.withMinRest(Duration.ofHours(1))
                        .planNextRun(schedule, history, NOON.plus(runTime))
                        .at())
                .isEqualTo(NOON.plus(runTime).plusSeconds(6));
        assertThat(PLANNER.withMinRest(Duration.ZERO)
                        .planNextRun(schedule, history, NOON.plus(runTime))
                        .at())
                .isEqualTo(NOON.plusSeconds(60));
        assertThatThrownBy(() -> PLANNER.withMinRest(Duration.ofSeconds(-1)))
                .hasMessage("min rest is PT-1S: it must not be negative");
    }
}
