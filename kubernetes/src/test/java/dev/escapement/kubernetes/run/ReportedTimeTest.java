package dev.escapement.kubernetes.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class ReportedTimeTest {

    private static final Instant REPORTED = Instant.parse("2026-11-15T12:00:01Z");

    @Test
    void observationWithinTheSecondIsTheTime() {
        Instant observed = REPORTED.plusMillis(343);
        assertThat(ReportedTime.within(REPORTED, observed)).isEqualTo(observed);
    }

    @Test
    void laterObservationGivesEndOfTheSecond() {
        assertThat(ReportedTime.within(REPORTED, REPORTED.plusSeconds(3_600))).isEqualTo(REPORTED.plusMillis(999));
    }

    @Test
    void keepsTimeOfClockAheadAndExactTime() {
        assertThat(ReportedTime.within(REPORTED, REPORTED.minusSeconds(5))).isEqualTo(REPORTED);
        Instant exact = REPORTED.plusNanos(1);
        assertThat(ReportedTime.within(exact, REPORTED.plusSeconds(9))).isEqualTo(exact);
    }
}
