package dev.escapement.backoff;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that delays are spread evenly over their window. */
class JitterDistributionTest {

    private static final int DRAWS = 1_000_000;
    private static final int SLICES = 100;
    private static final double MAX_SLICE_SHARE = 0.012;
    private static final Backoff STANDARD = Backoff.standard();

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 5, 1_000_000})
    void randomDelaysAreUniform(int attempt) {
        SplittableRandom random = new SplittableRandom(20261115);
        assertThat(maxSliceShare(attempt, () -> STANDARD.delayNanos(attempt, random)))
                .isLessThanOrEqualTo(MAX_SLICE_SHARE);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 5, 1_000_000})
    void keyedDelaysAreUniformForSimilarKeys(int attempt) {
        int[] i = {0};
        assertThat(maxSliceShare(attempt, () -> STANDARD.delayNanos(attempt, "payment/deployment/api-" + i[0]++)))
                .isLessThanOrEqualTo(MAX_SLICE_SHARE);
    }

    private static double maxSliceShare(int attempt, LongSupplier draw) {
        long lowest = STANDARD.lowestNanos(STANDARD.nominalNanos(attempt));
        long width = STANDARD.highestNanos(STANDARD.nominalNanos(attempt)) - lowest + 1;
        int[] slices = new int[SLICES];
        int fullest = 0;
        for (int i = 0; i < DRAWS; i++) {
            int slice = (int) ((draw.getAsLong() - lowest) * SLICES / width);
            fullest = Math.max(fullest, ++slices[slice]);
        }
        return (double) fullest / DRAWS;
    }
}
