package dev.escapement.server.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.backoff.Backoff;
import dev.escapement.backoff.BackoffSettings;
import dev.escapement.backoff.Spread;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class HerdTest {

    private static final int CALLERS = 10;

    @ParameterizedTest
    @EnumSource
    void everyCallerIsInASliceHoweverLongTheWaits(Spread spread) {
        for (Herd.Return back : herd(spread, BackoffSettings.LONGEST, 2).returns()) {
            assertThat(sum(back)).isEqualTo(CALLERS);
        }
        // Together two days less than 64-bit nanoseconds hold.
        for (Herd.Return back : herd(spread, Duration.ofDays(35_583), 3).returns()) {
            assertThat(sum(back)).isEqualTo(CALLERS);
        }
    }

    @Test
    void aHerdThatComesBackAtOneInstantIsInTheFirstSlice() {
        Herd.Return back = herd(Spread.FULL, Duration.ZERO, 1).returns().get(0);
        assertThat(back.slices().get(0)).isEqualTo(CALLERS);
        assertThat(back.fullestSecond()).isEqualTo(CALLERS);
    }

    @Test
    void moreThanTheTimesCanHoldIsRefused() {
        assertThatThrownBy(() -> herd(Spread.PERCENT, BackoffSettings.LONGEST, 3))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("3 attempts that take up to 109575d: it must be at most 106751d");
    }

    private static Herd herd(Spread spread, Duration wait, int attempts) {
        Backoff backoff = Backoff.builder().base(wait).max(wait).spread(spread).build();
        return Herd.simulate(backoff, CALLERS, attempts, new SplittableRandom(1));
    }

    private static int sum(Herd.Return back) {
        return back.slices().stream().mapToInt(Integer::intValue).sum();
    }
}
