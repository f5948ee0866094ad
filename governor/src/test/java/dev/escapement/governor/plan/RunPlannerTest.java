package dev.escapement.governor.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.backoff.Backoff;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Baselines, healthy and failing, end to end: count the outcome, then plan. */
class RunPlannerTest {

    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final Duration RUN_TIME = Duration.ofSeconds(3);
    private static final RunPlanner EXACT = new RunPlanner(0);
    private static final Schedule EVERY_MINUTE = Schedule.of("endpoint-1", new Interval(Duration.ofMinutes(1)));
    private static final Schedule DAILY = Schedule.of("endpoint-2", Cron.of("30 2 * * *", ZoneId.of("Europe/Berlin")));

    @Test
    void aNewEndpointRunsOneIntervalAfterItsCreation() {
        Plan plan = EXACT.planNextRun(EVERY_MINUTE, History.fresh(NOON), NOON);
        assertThat(plan.at()).isEqualTo("2026-03-01T12:01:00Z");
        assertThat(plan.source()).isEqualTo(RunSource.BASELINE_INTERVAL);
        assertThat(plan.clamp()).isEmpty();
        assertThat(plan.rejected()).isEmpty();
        assertThat(plan.withoutHints()).isEqualTo(new Counterfactual(plan.at(), RunSource.BASELINE_INTERVAL));
    }

    @Test
    void waitsDoubleFromTheEndOfEachFailureUpTo32IntervalsAndSuccessEndsThem() {
        History history = History.fresh(NOON);
        Instant slot = EXACT.planNextRun(EVERY_MINUTE, history, NOON).at();
        List<Long> waits = new ArrayList<>();
        for (int failure = 1; failure <= 7; failure++) {
            Instant ended = slot.plus(RUN_TIME);
            history = history.failed(slot, ended);
            Plan plan = EXACT.planNextRun(EVERY_MINUTE, history, ended);
            assertThat(plan.source()).isEqualTo(RunSource.BACKOFF);
            waits.add(Duration.between(ended, plan.at()).toSeconds());
            slot = plan.at();
        }
        assertThat(waits).containsExactly(120L, 240L, 480L, 960L, 1920L, 1920L, 1920L);
        assertThat(history.failures()).isEqualTo(7);

        History recovered = history.succeeded(slot, slot.plus(RUN_TIME));
        Plan plan = EXACT.planNextRun(EVERY_MINUTE, recovered, slot.plus(RUN_TIME));
        assertThat(plan.at()).isEqualTo(slot.plusSeconds(60));
        assertThat(plan.source()).isEqualTo(RunSource.BASELINE_INTERVAL);

        History failedAgain = recovered.failed(plan.at(), plan.at());
        assertThat(EXACT.planNextRun(EVERY_MINUTE, failedAgain, plan.at()).at())
                .isEqualTo(plan.at().plusSeconds(120));
    }

    @Test
    void theWaitCountsFromTheEndOfTheAttemptHoweverLateThePlanIs() {
        History history = History.fresh(NOON).failed(NOON, NOON.plusSeconds(10));
        assertThat(EXACT.planNextRun(EVERY_MINUTE, history, NOON.plusSeconds(100))
                        .at())
                .isEqualTo(NOON.plusSeconds(130));
    }

    @ParameterizedTest
    @CsvSource({"129.999999999, 130", "130, 130.001", "86400, 86400.001"})
    void aWaitThatIsOverMeansAsSoonAsPossible(String nowSeconds, String nextSeconds) {
        History history = History.fresh(NOON).failed(NOON, NOON.plusSeconds(10));
        Instant now = NOON.plus(Duration.parse("PT" + nowSeconds + "S"));
        assertThat(EXACT.planNextRun(EVERY_MINUTE, history, now).at())
                .isEqualTo(NOON.plus(Duration.parse("PT" + nextSeconds + "S")));
    }

    @Test
    void aClockThatWasSetBackDoesNotLengthenTheWait() {
        History history = History.fresh(NOON).failed(NOON, NOON.plus(Duration.ofDays(300)));
        assertThat(EXACT.planNextRun(EVERY_MINUTE, history, NOON).at()).isEqualTo(NOON.plusSeconds(120));
    }

    @Test
    void failingEndpointsAreSpreadByTheirKeyAndAlwaysInTheSameWay() {
        Backoff backoff = Backoff.builder()
                .base(Duration.ofMinutes(2))
                .max(Duration.ofMinutes(32))
                .build();
        History history = History.fresh(NOON).failed(NOON, NOON).failed(NOON, NOON);
        Instant planned =
                RunPlanner.standard().planNextRun(EVERY_MINUTE, history, NOON).at();
        assertThat(planned)
                .isEqualTo(NOON.plus(backoff.delay(2, "endpoint-1")))
                .isBetween(NOON.plusSeconds(216), NOON.plusSeconds(264))
                .isNotEqualTo(NOON.plusSeconds(240));
        assertThat(RunPlanner.standard()
                        .planNextRun(EVERY_MINUTE, history, NOON)
                        .at())
                .isEqualTo(planned);
        Schedule other = Schedule.of("endpoint-9", EVERY_MINUTE.baseline());
        assertThat(RunPlanner.standard().planNextRun(other, history, NOON).at()).isNotEqualTo(planned);
    }

    @Test
    void aHealthyEndpointKeepsItsBeatWithoutJitter() {
        History history = History.fresh(NOON);
        Instant now = NOON;
        for (int beat = 1; beat <= 1_000; beat++) {
            Plan plan = RunPlanner.standard().planNextRun(EVERY_MINUTE, history, now);
            assertThat(plan.at()).isEqualTo(NOON.plusSeconds(60L * beat));
            // Dispatched late and running for long, but never longer than the interval.
            now = plan.at().plusMillis(beat * 7L % 59_999);
            history = history.succeeded(plan.at(), now);
        }
    }

    @Test
    void aRunThatOutlastsItsIntervalMissesBeatsAndStaysOnTheGrid() {
        History history = History.fresh(NOON).succeeded(NOON, NOON.plusSeconds(150));
        assertThat(EXACT.planNextRun(EVERY_MINUTE, history, NOON.plusSeconds(150))
                        .at())
                .isEqualTo(NOON.plusSeconds(180));
    }

    @Test
    void afterADayOfDowntimeThereIsOneRunAndThenTheGridAgain() {
        History before = History.fresh(NOON).succeeded(NOON, NOON.plusSeconds(1));
        Instant back = NOON.plus(Duration.ofDays(1)).plusSeconds(17);
        Plan first = EXACT.planNextRun(EVERY_MINUTE, before, back);
        assertThat(first.at()).isEqualTo("2026-03-02T12:01:00Z");
        History after = before.succeeded(first.at(), first.at().plusSeconds(1));
        assertThat(EXACT.planNextRun(EVERY_MINUTE, after, first.at().plusSeconds(1))
                        .at())
                .isEqualTo("2026-03-02T12:02:00Z");
    }

    @Test
    void cronKeepsItsScheduleFailingOrNot() {
        History failing = History.fresh(NOON).failed(NOON, NOON).failed(NOON, NOON);
        for (History history : List.of(History.fresh(NOON), failing)) {
            Plan plan = RunPlanner.standard().planNextRun(DAILY, history, NOON);
            assertThat(plan.at()).isEqualTo("2026-03-02T01:30:00Z");
            assertThat(plan.source()).isEqualTo(RunSource.BASELINE_CRON);
            assertThat(RunPlanner.standard()
                            .planNextRun(DAILY, history, plan.at())
                            .at())
                    .isEqualTo("2026-03-03T01:30:00Z");
        }
    }

    @Test
    void theLongestWaitsFitIntoTheCalendar() {
        Schedule yearly = Schedule.of("endpoint-3", new Interval(Limits.LONGEST));
        History history =
                new History(Limits.LATEST, Integer.MAX_VALUE, Optional.of(new PastRun(Limits.LATEST, Limits.LATEST)));
        assertThat(EXACT.planNextRun(yearly, history, Limits.LATEST).at())
                .isEqualTo(Limits.LATEST.plus(Duration.ofDays(366 * 32)));
        assertThat(EXACT.planNextRun(yearly, History.fresh(Limits.EARLIEST), Limits.LATEST)
                        .at())
                .isBetween(Limits.LATEST.plusNanos(1), Limits.LATEST.plus(Limits.LONGEST));
    }
}
