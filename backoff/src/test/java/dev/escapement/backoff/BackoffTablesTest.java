package dev.escapement.backoff;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The tables of SPEC B and of the documents it came from. */
class BackoffTablesTest {

    private static final Backoff GATE = Backoff.builder()
            .base(Duration.ofMinutes(1))
            .max(Duration.ofMinutes(10))
            .maxExponent(4)
            .build();

    @Test
    void theStandardPresetDoublesFrom30SecondsTo5Minutes() {
        assertThat(nominal(Backoff.standard(), 7)).isEqualTo(durations("30s", "1m", "2m", "4m", "5m", "5m", "5m"));
    }

    @Test
    void theConservativePresetGrowsByHalf() {
        assertThat(nominal(Backoff.conservative(), 8))
                .isEqualTo(durations("30s", "45s", "67.5s", "101.25s", "151.875s", "227.8125s", "5m", "5m"));
    }

    @Test
    void theAggressivePresetTriples() {
        assertThat(nominal(Backoff.aggressive(), 5)).isEqualTo(durations("30s", "90s", "270s", "5m", "5m"));
    }

    @Test
    void theGateWaitsOneTwoFourEightTenMinutes() {
        assertThat(nominal(GATE, 6)).isEqualTo(durations("1m", "2m", "4m", "8m", "10m", "10m"));
    }

    @Test
    void theGatesWaitsAddUpAsInItsTable() {
        assertThat(GATE.ladder(5).rungs())
                .extracting(Ladder.Rung::cumulative)
                .isEqualTo(durations("1m", "3m", "7m", "15m", "25m"));
    }

    @ParameterizedTest
    @CsvSource({"1, 30s, 33s", "2, 54s, 66s", "3, 108s, 132s", "4, 216s, 264s", "5, 270s, 300s", "9, 270s, 300s"})
    void theStandardWindowsLieWithinBaseAndMax(int attempt, String lowest, String highest) {
        Ladder.Rung rung = Backoff.builder().build().ladder(attempt).rung(attempt);
        assertThat(rung.lowest()).isEqualTo(DurationText.parse(lowest));
        assertThat(rung.highest()).isEqualTo(DurationText.parse(highest));
    }

    @Test
    void aConstantPolicySpreadsDownwards() {
        Backoff constant = Backoff.builder()
                .base(Duration.ofSeconds(60))
                .max(Duration.ofSeconds(60))
                .build();
        Ladder.Rung rung = constant.ladder(3).rung(3);
        assertThat(rung.lowest()).isEqualTo(Duration.ofSeconds(54));
        assertThat(rung.highest()).isEqualTo(Duration.ofSeconds(60));
    }

    @Test
    void fullJitterGoesFromZeroAndEqualJitterFromHalf() {
        Backoff full = Backoff.builder().spread(Spread.FULL).build();
        Backoff equal = Backoff.builder().spread(Spread.EQUAL).build();
        assertThat(full.ladder(3).rung(3).lowest()).isEqualTo(Duration.ZERO);
        assertThat(full.ladder(3).rung(3).highest()).isEqualTo(Duration.ofMinutes(2));
        assertThat(equal.ladder(3).rung(3).lowest()).isEqualTo(Duration.ofMinutes(1));
        assertThat(equal.ladder(3).rung(3).highest()).isEqualTo(Duration.ofMinutes(2));
    }

    @ParameterizedTest
    @ValueSource(ints = {31, 32, 33, 63, 64, 65, 1_000_000_000, Integer.MAX_VALUE})
    void highAttemptsAreJustTheMaximum(int attempt) {
        for (Backoff backoff : List.of(Backoff.standard(), Backoff.conservative(), Backoff.aggressive(), GATE)) {
            assertThat(Unjittered.delay(backoff, attempt))
                    .isEqualTo(backoff.settings().max());
            assertThat(backoff.delay(attempt))
                    .isLessThanOrEqualTo(backoff.settings().max());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
    void attemptsBelowOneCountAsTheFirst(int attempt) {
        assertThat(Unjittered.delay(Backoff.standard(), attempt)).isEqualTo(Duration.ofSeconds(30));
        assertThat(Backoff.standard().delay(attempt)).isBetween(Duration.ofSeconds(30), Duration.ofSeconds(33));
        assertThat(Backoff.standard().delay(attempt, "key"))
                .isEqualTo(Backoff.standard().delay(1, "key"));
    }

    @Test
    void aBaseOfZeroNeverWaits() {
        Backoff none = Backoff.builder().base(Duration.ZERO).build();
        assertThat(none.delayNanos(1)).isZero();
        assertThat(none.delayNanos(Integer.MAX_VALUE)).isZero();
    }

    @Test
    void theMaximumExponentStopsTheGrowthBelowTheMaximum() {
        Backoff old = Backoff.builder().max(Duration.ofHours(9)).maxExponent(3).build();
        assertThat(nominal(old, 6)).isEqualTo(durations("30s", "1m", "2m", "4m", "4m", "4m"));
        assertThat(Unjittered.delay(
                        Backoff.builder()
                                .max(Duration.ofHours(9))
                                .maxExponent(0)
                                .build(),
                        9))
                .isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    void theLargestSettingsDoNotOverflow() {
        Backoff century = Backoff.builder()
                .base(Duration.ofDays(1))
                .max(BackoffSettings.LONGEST)
                .multiplier(10)
                .jitterPercent(50)
                .build();
        assertThat(Unjittered.delay(century, 64)).isEqualTo(BackoffSettings.LONGEST);
        assertThat(century.delay(64)).isBetween(BackoffSettings.LONGEST.dividedBy(2), BackoffSettings.LONGEST);
        assertThat(century.ladder(Ladder.LONGEST).longestTotal())
                .isLessThanOrEqualTo(BackoffSettings.LONGEST.multipliedBy(Ladder.LONGEST));
    }

    private static List<Duration> nominal(Backoff backoff, int attempts) {
        return IntStream.rangeClosed(1, attempts)
                .mapToObj(attempt -> Unjittered.delay(backoff, attempt))
                .toList();
    }

    private static List<Duration> durations(String... texts) {
        return Arrays.stream(texts).map(DurationText::parse).toList();
    }
}
