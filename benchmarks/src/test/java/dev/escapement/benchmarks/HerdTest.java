package dev.escapement.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HerdTest {

    @Test
    void aHerdThatComesBackAtOnceIsAllInOneSlice() {
        Herd herd = drawn(() -> 1_234);
        assertThat(herd.slices().get(23)).isEqualTo(Herd.CALLERS);
        assertThat(herd.fullestPercent()).isEqualTo(100);
        assertThat(herd.target().holds()).isFalse();
    }

    @Test
    void anEvenHerdHasOneInAHundredInEachSlice() {
        long[] next = {0};
        Herd herd = drawn(() -> 1_000 + next[0]++ % 1_000);
        assertThat(herd.slices()).hasSize(Herd.SLICES).containsOnly(Herd.CALLERS / Herd.SLICES);
        assertThat(herd.fullestPercent()).isEqualTo(1);
        assertThat(herd.target().holds()).isTrue();
    }

    @Test
    void bothBoundsBelongToTheWindowAndNothingBeyondThem() {
        assertThat(drawn(() -> 1_000).slices().get(0)).isEqualTo(Herd.CALLERS);
        assertThat(drawn(() -> 1_999).slices().get(99)).isEqualTo(Herd.CALLERS);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> drawn(() -> 999))
                .withMessageContaining("999 ns: it must be from 1000 to 1999");
        assertThatIllegalArgumentException().isThrownBy(() -> drawn(() -> 2_000));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5})
    void theUsualWaySendsHalfOfThemBackTogetherAtTheBaseAndAtTheCap(int attempt) {
        assertThat(Herd.clampAfterJitter(attempt).fullestPercent()).isCloseTo(50.5, within(0.5));
    }

    private static Herd drawn(LongSupplier draw) {
        return Herd.drawn("test", 1, 1_000, 1_999, draw);
    }
}
