package dev.escapement.cli.command.tools;

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

class HerdSimulationTest {

    private static final int CALLERS = 10;

    @ParameterizedTest
    @EnumSource
    void countsEveryCallerEvenForLongestWaits(Spread spread) {
        for (HerdSimulation.RetryWave wave :
                simulate(spread, BackoffSettings.LONGEST, 2).waves()) {
            assertThat(countCallers(wave)).isEqualTo(CALLERS);
        }
        // Together two days less than 64-bit nanoseconds hold.
        for (HerdSimulation.RetryWave wave :
                simulate(spread, Duration.ofDays(35_583), 3).waves()) {
            assertThat(countCallers(wave)).isEqualTo(CALLERS);
        }
    }

    @Test
    void putsSimultaneousCallersIntoFirstSlice() {
        HerdSimulation.RetryWave wave =
                simulate(Spread.FULL, Duration.ZERO, 1).waves().get(0);
        assertThat(wave.slices().get(0)).isEqualTo(CALLERS);
        assertThat(wave.fullestSecond()).isEqualTo(CALLERS);
    }

    @Test
    void rejectsTotalWaitBeyondNanosecondRange() {
        assertThatThrownBy(() -> simulate(Spread.PERCENT, BackoffSettings.LONGEST, 3))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("3 attempts that take up to 109575d: it must be at most 106751d");
    }

    private static HerdSimulation simulate(Spread spread, Duration wait, int attempts) {
        Backoff backoff = Backoff.builder().base(wait).max(wait).spread(spread).build();
        return HerdSimulation.simulate(backoff, CALLERS, attempts, new SplittableRandom(1));
    }

    private static int countCallers(HerdSimulation.RetryWave wave) {
        return wave.slices().stream().mapToInt(Integer::intValue).sum();
    }
}
