package dev.escapement.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PropertyTest {

    @Test
    void checksRequestedNumberOfCases() {
        List<Long> seen = new ArrayList<>();
        Property.forAll(200, gen -> seen.add(gen.random().nextLong()));
        assertThat(seen).hasSize(200).doesNotHaveDuplicates();
    }

    @Test
    void reportsSeedAndSmallestFailingSize() {
        assertThatThrownBy(() -> Property.forAll(100, gen -> {
                    // Only the bound on the length depends on the size, so this fails from size 50 on.
                    assertThat(gen.length(0, 0) + Math.toIntExact(maxLength(gen)))
                            .isLessThan(50);
                }))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("50")
                .hasMessageContaining("-Descapement.seed=")
                .hasMessageEndingWith(":50)");
    }

    @Test
    void generatorBoundsAreInclusive() {
        Property.forAll(500, gen -> {
            assertThat(gen.between(3, 5)).isBetween(3, 5);
            assertThat(gen.between(Long.MAX_VALUE - 1, Long.MAX_VALUE)).isGreaterThanOrEqualTo(Long.MAX_VALUE - 1);
            assertThat(gen.magnitude(1000)).isBetween(0L, 1000L);
            assertThat(gen.text(8)).hasSizeLessThanOrEqualTo(8);
        });
    }

    /** The longest length that this case can draw, which is its size. */
    private static long maxLength(Generator gen) {
        long longest = 0;
        for (int i = 0; i < 5_000; i++) {
            longest = Math.max(longest, gen.length(0, Generator.MAX_SIZE));
        }
        return longest;
    }
}
