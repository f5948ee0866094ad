package dev.escapement.endpoints;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.governor.plan.History;
import dev.escapement.governor.plan.RunSource;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How beats that were missed are counted. */
class MissedBeatsTest {

    private static final Instant SLOT = Instant.parse("2026-11-16T00:00:00Z");

    @ParameterizedTest
    @CsvSource({"0, 0", "1, 1", "999, 999", "1000, 1000", "1001, 1000", "10080, 1000"})
    void beatsOfACronAreCountedUpToAThousand(int minutes, int counted) {
        Definition everyMinute = Sample.cron("beat", "* * * * *", "UTC").definition();

        assertThat(missed(everyMinute, minutes, RunSource.BASELINE_CRON).count())
                .isEqualTo(counted);
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "999, 999", "1000, 1000", "1001, 1001", "10080, 10080"})
    void beatsOfAnIntervalAreAllCounted(int minutes, int counted) {
        Definition everyMinute = Sample.every("beat", Duration.ofMinutes(1)).definition();

        assertThat(missed(everyMinute, minutes, RunSource.BASELINE_INTERVAL).count())
                .isEqualTo(counted);
    }

    private static MissedBeats missed(Definition definition, int minutes, RunSource next) {
        Instant now = SLOT.plus(Duration.ofMinutes(minutes));
        return MissedBeats.after(
                SLOT,
                SLOT,
                definition,
                History.fresh(SLOT).succeeded(SLOT, now),
                new Planned(Optional.of(now.plusSeconds(60)), next.name(), "{}"),
                now);
    }
}
