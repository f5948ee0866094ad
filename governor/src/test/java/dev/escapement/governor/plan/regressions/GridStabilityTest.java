package dev.escapement.governor.plan.regressions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.governor.plan.CronExpression;
import dev.escapement.governor.plan.FixedInterval;
import dev.escapement.governor.plan.Hint.OneShotHint;
import dev.escapement.governor.plan.RunHistory;
import dev.escapement.governor.plan.RunPlanner;
import dev.escapement.governor.plan.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A run off the grid used to move the grid permanently. All endpoints are created at noon. */
class GridStabilityTest {

    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final Schedule HOURLY = Schedule.of("endpoint-1", new FixedInterval(Duration.ofHours(1)));
    private static final Schedule EVERY_MINUTE = Schedule.of("endpoint-2", new FixedInterval(Duration.ofMinutes(1)));
    private static final Optional<Duration> NO_CLAMP = Optional.empty();

    @Test
    void oneShotDoesNotMoveGrid() {
        OneShotHint once = new OneShotHint(NOON.plusSeconds(17 * 60), NOON, NOON.plusSeconds(3_600), "ops", "test");
        assertThat(healthyRuns(HOURLY.withHints(List.of(once)), Duration.ofSeconds(5), 4))
                .containsExactly("12:17", "13:00", "14:00", "15:00");
    }

    @Test
    void pauseDoesNotMoveGrid() {
        assertThat(healthyRuns(HOURLY.pausedUntil(NOON.plusSeconds(17 * 60)), Duration.ofSeconds(5), 4))
                .containsExactly("12:17", "13:00", "14:00", "15:00");
    }

    @Test
    void minIntervalMovesRunsButNotGrid() {
        Schedule schedule = EVERY_MINUTE.withClamps(Optional.of(Duration.ofSeconds(50)), NO_CLAMP);
        assertThat(healthyRuns(schedule, Duration.ofSeconds(15), 12))
                .containsExactly(
                        "12:01",
                        "12:02:05",
                        "12:03:10",
                        "12:04:15",
                        "12:05:20",
                        "12:06:25",
                        "12:07:30",
                        "12:08:35",
                        "12:09:40",
                        "12:10:45",
                        "12:12",
                        "12:13:05");
        assertThat(healthyRuns(schedule, Duration.ofSeconds(10), 3)).containsExactly("12:01", "12:02", "12:03");
    }

    @Test
    void maxIntervalAddsRunsToGrid() {
        Schedule schedule = HOURLY.withClamps(NO_CLAMP, Optional.of(Duration.ofMinutes(25)));
        assertThat(healthyRuns(schedule, Duration.ofSeconds(5), 6))
                .containsExactly("12:25", "12:50:05", "13:00", "13:25:05", "13:50:10", "14:00");
    }

    @Test
    void newBaselineStartsNewGrid() {
        RunHistory changed = RunHistory.initial(NOON).withSuccess(NOON, NOON).withOrigin(NOON.plusSeconds(17));
        assertThat(next(EVERY_MINUTE, changed, NOON.plusSeconds(20))).isEqualTo(NOON.plusSeconds(77));
        assertThat(next(EVERY_MINUTE, changed, NOON.plusSeconds(100))).isEqualTo(NOON.plusSeconds(137));
    }

    /** Otherwise the next slot could follow immediately after the run that succeeded. */
    @Test
    void recoveryRestartsGridWithFullInterval() {
        Instant recovered = NOON.plusSeconds(179);
        RunHistory history = RunHistory.initial(NOON)
                .withFailure(NOON, NOON, Optional.empty())
                .withSuccess(recovered, recovered.plusSeconds(2));
        Instant first = next(EVERY_MINUTE, history, recovered.plusSeconds(2));
        assertThat(first).isEqualTo(recovered.plusSeconds(60));
        assertThat(next(EVERY_MINUTE, history.withSuccess(first, first.plusSeconds(2)), first.plusSeconds(2)))
                .isEqualTo(recovered.plusSeconds(120));
    }

    @Test
    void slotIsNotRunTwiceAfterEarlyRun() {
        Instant slot = NOON.plusSeconds(300);
        Instant early = slot.minusMillis(3);
        RunHistory history = RunHistory.initial(NOON).withSuccess(slot, early);
        assertThat(next(EVERY_MINUTE, history, early)).isEqualTo(slot.plusSeconds(60));
        Schedule cron = Schedule.of("endpoint-3", CronExpression.of("* * * * *", ZoneOffset.UTC));
        assertThat(next(cron, history, early)).isEqualTo(slot.plusSeconds(60));
    }

    private static Stream<String> healthyRuns(Schedule schedule, Duration runTime, int runs) {
        record Step(Instant slot, RunHistory history) {}
        Step first = new Step(next(schedule, RunHistory.initial(NOON), NOON), RunHistory.initial(NOON));
        return Stream.iterate(first, step -> {
                    Instant ended = step.slot().plus(runTime);
                    RunHistory history = step.history().withSuccess(step.slot(), ended);
                    return new Step(next(schedule, history, ended), history);
                })
                .limit(runs)
                .map(step -> LocalTime.ofInstant(step.slot(), ZoneOffset.UTC).toString());
    }

    private static Instant next(Schedule schedule, RunHistory history, Instant now) {
        return RunPlanner.withDefaultJitter()
                .planNextRun(schedule, history, now)
                .at();
    }
}
