package dev.escapement.governor.plan.regressions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.governor.plan.FixedInterval;
import dev.escapement.governor.plan.Hint.OneShotHint;
import dev.escapement.governor.plan.NextRunPlan;
import dev.escapement.governor.plan.RunHistory;
import dev.escapement.governor.plan.RunPlanner;
import dev.escapement.governor.plan.RunSource;
import dev.escapement.governor.plan.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** "Run now" from a clock that is behind used to count as fulfilled by a run from before it was given. */
class OneShotHintFulfilmentTest {

    private static final Instant SLOT = Instant.parse("2026-03-01T12:00:00Z");
    private static final Schedule HOURLY = Schedule.of("endpoint-1", new FixedInterval(Duration.ofHours(1)));

    /** Seconds after the slot of a run that ended after five seconds. */
    @ParameterizedTest
    @CsvSource({
        "-2,  6, 10, 10.001", // given after the run, for a time before its slot
        "0,   6, 10, 10.001",
        "-2,  3, 5,  5.001", // given during the run, which may not have seen the change
        "-2, 12, 10, 12", // given by a clock that is ahead: once, when the other clocks reach it
        "20,  6, 10, 20",
    })
    void onlyRunAfterHintWasGivenFulfilsIt(long at, long given, long now, double planned) {
        Instant expiry = SLOT.plusSeconds(600);
        OneShotHint hint = new OneShotHint(SLOT.plusSeconds(at), SLOT.plusSeconds(given), expiry, "ada", "run now");
        Schedule schedule = HOURLY.withHints(List.of(hint));
        RunHistory history = RunHistory.initial(SLOT).withSuccess(SLOT, SLOT.plusSeconds(5));

        NextRunPlan plan = RunPlanner.withDefaultJitter().planNextRun(schedule, history, SLOT.plusSeconds(now));
        assertThat(plan.source()).isEqualTo(RunSource.HINT_ONE_SHOT);
        assertThat(plan.at()).isEqualTo(SLOT.plusMillis(Math.round(planned * 1_000)));

        Instant ended = plan.at().plusMillis(1);
        NextRunPlan after =
                RunPlanner.withDefaultJitter().planNextRun(schedule, history.withSuccess(plan.at(), ended), ended);
        assertThat(after.source()).isEqualTo(RunSource.BASELINE_INTERVAL);
    }
}
