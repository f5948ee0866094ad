package dev.escapement.benchmarks.backoff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RetryDistributionTest {

    @Test
    void simultaneousRetriesFillOneSlice() {
        RetryDistribution distribution = sample(() -> 1_234);
        assertThat(distribution.slices().get(23)).isEqualTo(RetryDistribution.CALLERS);
        assertThat(distribution.maxSlicePercent()).isEqualTo(100);
        assertThat(distribution.target().holds()).isFalse();
    }

    @Test
    void evenRetriesFillAllSlicesEqually() {
        long[] next = {0};
        RetryDistribution distribution = sample(() -> 1_000 + next[0]++ % 1_000);
        assertThat(distribution.slices())
                .hasSize(RetryDistribution.SLICES)
                .containsOnly(RetryDistribution.CALLERS / RetryDistribution.SLICES);
        assertThat(distribution.maxSlicePercent()).isEqualTo(1);
        assertThat(distribution.target().holds()).isTrue();
    }

    @Test
    void windowIncludesBothBoundsOnly() {
        assertThat(sample(() -> 1_000).slices().get(0)).isEqualTo(RetryDistribution.CALLERS);
        assertThat(sample(() -> 1_999).slices().get(99)).isEqualTo(RetryDistribution.CALLERS);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> sample(() -> 999))
                .withMessageContaining("999 ns: it must be from 1000 to 1999");
        assertThatIllegalArgumentException().isThrownBy(() -> sample(() -> 2_000));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5})
    void clampAfterJitterPutsHalfIntoOneSlice(int attempt) {
        assertThat(RetryDistribution.clampAfterJitter(attempt).maxSlicePercent())
                .isCloseTo(50.5, within(0.5));
    }

    private static RetryDistribution sample(LongSupplier draw) {
        return RetryDistribution.sample("test", 1, 1_000, 1_999, draw);
    }
}
