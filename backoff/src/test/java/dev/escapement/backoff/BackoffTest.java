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

class BackoffTest {

    private static final Backoff GATE_BACKOFF = Backoff.builder()
            .base(Duration.ofMinutes(1))
            .max(Duration.ofMinutes(10))
            .maxExponent(4)
            .build();

    @Test
    void standardDoublesFrom30SecondsTo5Minutes() {
        assertThat(nominalDelays(Backoff.standard(), 7))
                .isEqualTo(parseDurations("30s", "1m", "2m", "4m", "5m", "5m", "5m"));
    }

    @Test
    void conservativeGrowsByHalf() {
        assertThat(nominalDelays(Backoff.conservative(), 8))
                .isEqualTo(parseDurations("30s", "45s", "67.5s", "101.25s", "151.875s", "227.8125s", "5m", "5m"));
    }

    @Test
    void aggressiveTriples() {
        assertThat(nominalDelays(Backoff.aggressive(), 5)).isEqualTo(parseDurations("30s", "90s", "270s", "5m", "5m"));
    }

    @Test
    void gateBackoffIsOneTwoFourEightTenMinutes() {
        assertThat(nominalDelays(GATE_BACKOFF, 6)).isEqualTo(parseDurations("1m", "2m", "4m", "8m", "10m", "10m"));
    }

    @Test
    void gateBackoffAccumulatesAsDocumented() {
        assertThat(GATE_BACKOFF.ladder(5).rungs())
                .extracting(Ladder.Rung::cumulative)
                .isEqualTo(parseDurations("1m", "3m", "7m", "15m", "25m"));
    }

    @ParameterizedTest
    @CsvSource({"1, 30s, 33s", "2, 54s, 66s", "3, 108s, 132s", "4, 216s, 264s", "5, 270s, 300s", "9, 270s, 300s"})
    void standardJitterStaysWithinBaseAndMax(int attempt, String lowest, String highest) {
        Ladder.Rung rung = Backoff.builder().build().ladder(attempt).rung(attempt);
        assertThat(rung.lowest()).isEqualTo(DurationText.parse(lowest));
        assertThat(rung.highest()).isEqualTo(DurationText.parse(highest));
    }

    @Test
    void constantBackoffJittersDownwards() {
        Backoff constant = Backoff.builder()
                .base(Duration.ofSeconds(60))
                .max(Duration.ofSeconds(60))
                .build();
        Ladder.Rung rung = constant.ladder(3).rung(3);
        assertThat(rung.lowest()).isEqualTo(Duration.ofSeconds(54));
        assertThat(rung.highest()).isEqualTo(Duration.ofSeconds(60));
    }

    @Test
    void fullJitterStartsAtZeroAndEqualJitterAtHalf() {
        Backoff full = Backoff.builder().spread(Spread.FULL).build();
        Backoff equal = Backoff.builder().spread(Spread.EQUAL).build();
        assertThat(full.ladder(3).rung(3).lowest()).isEqualTo(Duration.ZERO);
        assertThat(full.ladder(3).rung(3).highest()).isEqualTo(Duration.ofMinutes(2));
        assertThat(equal.ladder(3).rung(3).lowest()).isEqualTo(Duration.ofMinutes(1));
        assertThat(equal.ladder(3).rung(3).highest()).isEqualTo(Duration.ofMinutes(2));
    }

    @ParameterizedTest
    @ValueSource(ints = {31, 32, 33, 63, 64, 65, 1_000_000_000, Integer.MAX_VALUE})
    void highAttemptsUseMax(int attempt) {
        for (Backoff backoff :
                List.of(Backoff.standard(), Backoff.conservative(), Backoff.aggressive(), GATE_BACKOFF)) {
            assertThat(UnjitteredDelay.delay(backoff, attempt))
                    .isEqualTo(backoff.settings().max());
            assertThat(backoff.delay(attempt))
                    .isLessThanOrEqualTo(backoff.settings().max());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
    void treatsAttemptsBelowOneAsFirst(int attempt) {
        assertThat(UnjitteredDelay.delay(Backoff.standard(), attempt)).isEqualTo(Duration.ofSeconds(30));
        assertThat(Backoff.standard().delay(attempt)).isBetween(Duration.ofSeconds(30), Duration.ofSeconds(33));
        assertThat(Backoff.standard().delay(attempt, "key"))
                .isEqualTo(Backoff.standard().delay(1, "key"));
    }

    @Test
    void zeroBaseNeverWaits() {
        Backoff none = Backoff.builder().base(Duration.ZERO).build();
        assertThat(none.delayNanos(1)).isZero();
        assertThat(none.delayNanos(Integer.MAX_VALUE)).isZero();
    }

    @Test
    void maxExponentStopsGrowthBelowMax() {
        Backoff old = Backoff.builder().max(Duration.ofHours(9)).maxExponent(3).build();
        assertThat(nominalDelays(old, 6)).isEqualTo(parseDurations("30s", "1m", "2m", "4m", "4m", "4m"));
        assertThat(UnjitteredDelay.delay(
                        Backoff.builder()
                                .max(Duration.ofHours(9))
                                .maxExponent(0)
                                .build(),
                        9))
                .isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    void largestSettingsDoNotOverflow() {
        Backoff century = Backoff.builder()
                .base(Duration.ofDays(1))
                .max(BackoffSettings.LONGEST)
                .multiplier(10)
                .jitterPercent(50)
                .build();
        assertThat(UnjitteredDelay.delay(century, 64)).isEqualTo(BackoffSettings.LONGEST);
        assertThat(century.delay(64)).isBetween(BackoffSettings.LONGEST.dividedBy(2), BackoffSettings.LONGEST);
        assertThat(century.ladder(Ladder.LONGEST).longestTotal())
                .isLessThanOrEqualTo(BackoffSettings.LONGEST.multipliedBy(Ladder.LONGEST));
    }

    private static List<Duration> nominalDelays(Backoff backoff, int attempts) {
        return IntStream.rangeClosed(1, attempts)
                .mapToObj(attempt -> UnjitteredDelay.delay(backoff, attempt))
                .toList();
    }

    private static List<Duration> parseDurations(String... texts) {
        return Arrays.stream(texts).map(DurationText::parse).toList();
    }
}
