package dev.escapement.governor.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.testkit.Property;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FixedIntervalTest {

    @ParameterizedTest
    @CsvSource({
        "12:00:00, PT1M, 12:00:00, 12:01:00",
        "12:00:00, PT1M, 12:00:59.999999999, 12:01:00",
        "12:00:00, PT1M, 12:01:00, 12:02:00",
        "12:00:00, PT1M, 12:01:00.000000001, 12:02:00",
        "12:00:00.000000500, PT1M, 12:01:00, 12:01:00.000000500",
        "12:00:00.000000500, PT0.001S, 12:00:00.001000499, 12:00:00.001000500",
        "12:00:00.000000500, PT0.001S, 12:00:00.001000500, 12:00:00.002000500",
        "12:00:00, PT7S, 18:00:00, 18:00:02",
    })
    void nextBeatIsStrictlyAfterGivenTime(String anchor, Duration every, String after, String next) {
        assertThat(FixedInterval.nextSlot(at(anchor), every, at(after))).isEqualTo(at(next));
    }

    @ParameterizedTest
    @CsvSource({
        "11:59:59.999999999, 12:01:00",
        "11:59:00.000000001, 12:01:00",
        "11:59:00, 12:01:00",
        "11:58:59.999999999, 11:59:00",
        "11:30:30, 11:31:00",
    })
    void clockSetBackNeitherRepeatsNorStopsBeats(String now, String next) {
        assertThat(FixedInterval.nextSlot(at("12:00:00"), Duration.ofMinutes(1), at(now)))
                .isEqualTo(at(next));
    }

    @Test
    void manyMissedBeatsTakeConstantTime() {
        assertThat(FixedInterval.nextSlot(
                        ScheduleLimits.MIN_INSTANT, ScheduleLimits.MIN_INTERVAL, ScheduleLimits.MAX_INSTANT))
                .isEqualTo(Instant.parse("+10000-01-01T00:00:00Z"));
        assertThat(FixedInterval.nextSlot(
                        ScheduleLimits.MAX_INSTANT, ScheduleLimits.MAX_INTERVAL, ScheduleLimits.MIN_INSTANT))
                .isBetween(
                        ScheduleLimits.MIN_INSTANT.plusNanos(1),
                        ScheduleLimits.MIN_INSTANT.plus(ScheduleLimits.MAX_INTERVAL));
    }

    @Test
    void beatsAreOnGridWithoutGaps() {
        Property.forAll(2_000, gen -> {
            Duration every = Duration.ofMillis(1 + gen.magnitude(ScheduleLimits.MAX_INTERVAL.toMillis() - 1));
            Instant anchor = Instant.ofEpochSecond(gen.between(0, 4_000_000_000L), gen.between(0, 999_999_999));
            Instant after = anchor.plusNanos(gen.magnitude(Long.MAX_VALUE));
            Instant next = FixedInterval.nextSlot(anchor, every, after);
            assertThat(next).isAfter(after).isBeforeOrEqualTo(after.plus(every));
            assertThat(Duration.between(anchor, next).toNanosPart() % 1_000_000).isZero();
            assertThat(Duration.between(anchor, next).toMillis() % every.toMillis())
                    .isZero();
        });
    }

    private static Instant at(String time) {
        return Instant.parse("2026-03-01T" + time + "Z");
    }
}
