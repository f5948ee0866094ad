package dev.escapement.endpoints.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.endpoints.model.EndpointDefinition;
import dev.escapement.endpoints.model.SampleEndpoints;
import dev.escapement.endpoints.model.ScheduledEndpoint.PlannedRun;
import dev.escapement.governor.plan.RunHistory;
import dev.escapement.governor.plan.RunSource;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests how missed slots are counted. */
class MissedRunsTest {

    private static final Instant SLOT = Instant.parse("2026-11-16T00:00:00Z");
    private static final EndpointDefinition EVERY_MINUTE =
            SampleEndpoints.withInterval("beat", Duration.ofMinutes(1)).definition();

    @ParameterizedTest
    @CsvSource({"0, 0", "1, 1", "999, 999", "1000, 1000", "1001, 1000", "10080, 1000"})
    void countsMissedCronRunsUpToOneThousand(int minutes, int counted) {
        EndpointDefinition everyMinute =
                SampleEndpoints.withCron("beat", "* * * * *", "UTC").definition();

        assertThat(missedRuns(everyMinute, minutes, RunSource.BASELINE_CRON).count())
                .isEqualTo(counted);
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "999, 999", "1000, 1000", "1001, 1001", "10080, 10080"})
    void countsAllMissedIntervalRuns(int minutes, int counted) {
        assertThat(missedRuns(EVERY_MINUTE, minutes, RunSource.BASELINE_INTERVAL)
                        .count())
                .isEqualTo(counted);
    }

    @ParameterizedTest
    @EnumSource(names = {"BASELINE_INTERVAL", "BACKOFF", "HINT_INTERVAL", "HINT_ONE_SHOT", "PAUSE"})
    void countsRunsMissedBeforeLateStartWhateverIsPlannedNext(RunSource next) {
        MissedRuns missed = missedRuns(EVERY_MINUTE, RunSource.BASELINE_INTERVAL, 1440, 1440, next);

        assertThat(missed.count()).isEqualTo(1440);
        assertThat(missed.reason()).isEqualTo("the previous run started 1d late: no worker was free");
    }

    @ParameterizedTest
    @EnumSource(names = {"BACKOFF", "HINT_INTERVAL", "HINT_ONE_SHOT", "PAUSE"})
    void doesNotCountRunsAfterStartWhenNextRunIsNotBaseline(RunSource next) {
        assertThat(missedRuns(EVERY_MINUTE, RunSource.BASELINE_INTERVAL, 3, 10, next)
                        .count())
                .isEqualTo(3);
        assertThat(missedRuns(EVERY_MINUTE, RunSource.BACKOFF, 3, 10, next)).isEqualTo(MissedRuns.NONE);
    }

    @ParameterizedTest
    @EnumSource(names = {"BASELINE_INTERVAL", "BACKOFF"})
    void countsNothingWhenClockWasSetBack(RunSource next) {
        assertThat(missedRuns(EVERY_MINUTE, RunSource.BASELINE_INTERVAL, -60, -59, next))
                .isEqualTo(MissedRuns.NONE);
    }

    private static MissedRuns missedRuns(EndpointDefinition definition, int minutes, RunSource next) {
        return missedRuns(definition, next, 0, minutes, next);
    }

    /** All times in minutes after the slot. */
    private static MissedRuns missedRuns(
            EndpointDefinition definition, RunSource source, int startedAt, int ended, RunSource next) {
        Instant now = SLOT.plus(Duration.ofMinutes(ended));
        return MissedRuns.countAfter(
                SLOT,
                source.name(),
                SLOT.plus(Duration.ofMinutes(startedAt)),
                definition,
                RunHistory.initial(SLOT).withSuccess(SLOT, now),
                new PlannedRun(Optional.of(now.plusSeconds(60)), next.name(), "{}"),
                now);
    }
}
