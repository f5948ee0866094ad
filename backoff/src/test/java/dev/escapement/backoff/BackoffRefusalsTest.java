package dev.escapement.backoff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A bad setting is refused when it is built, and the message has its name, its value and the rule. */
class BackoffRefusalsTest {

    static Stream<Arguments> badSettings() {
        return Stream.of(
                bad("base", "PT-1S", "negative", b -> b.base(Duration.ofSeconds(-1))),
                bad("base", "PT-0.000000001S", "negative", b -> b.base(Duration.ofNanos(-1))),
                bad(
                        "max",
                        "PT29.999999999S",
                        "base PT30S",
                        b -> b.max(Duration.ofSeconds(30).minusNanos(1))),
                bad("max", "PT-1S", "base PT30S", b -> b.max(Duration.ofSeconds(-1))),
                bad("max", "hundred years", "at most", b -> b.max(BackoffSettings.LONGEST.plusNanos(1))),
                bad(
                        "max",
                        Duration.ofSeconds(Long.MAX_VALUE).toString(),
                        "at most",
                        b -> b.max(Duration.ofSeconds(Long.MAX_VALUE))),
                bad("multiplier", "0.5", "1.0 to 10.0", b -> b.multiplier(0.5)),
                bad("multiplier", "0.9999999999999999", "1.0 to 10.0", b -> b.multiplier(Math.nextDown(1.0))),
                bad("multiplier", "10.000000000000002", "1.0 to 10.0", b -> b.multiplier(Math.nextUp(10.0))),
                bad("multiplier", "NaN", "1.0 to 10.0", b -> b.multiplier(Double.NaN)),
                bad("multiplier", "Infinity", "1.0 to 10.0", b -> b.multiplier(Double.POSITIVE_INFINITY)),
                bad("multiplier", "-2.0", "1.0 to 10.0", b -> b.multiplier(-2)),
                bad("jitterPercent", "60", "0 to 50", b -> b.jitterPercent(60)),
                bad("jitterPercent", "51", "0 to 50", b -> b.jitterPercent(51)),
                bad("jitterPercent", "-1", "0 to 50", b -> b.jitterPercent(-1)),
                bad("maxExponent", "-1", "negative", b -> b.maxExponent(-1)));
    }

    private static Arguments bad(String setting, String value, String rule, UnaryOperator<Backoff.Builder> change) {
        return Arguments.of(setting, value, rule, change);
    }

    @ParameterizedTest(name = "{0} = {1}")
    @MethodSource("badSettings")
    void badSettingsAreRefused(String setting, String value, String rule, UnaryOperator<Backoff.Builder> change) {
        Backoff.Builder builder = change.apply(Backoff.builder());
        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("backoff " + setting + " is ")
                .hasMessageContaining(value)
                .hasMessageContaining(rule);
    }

    @Test
    void theBoundsThemselvesAreLegal() {
        assertThat(Backoff.builder()
                        .base(Duration.ZERO)
                        .max(Duration.ZERO)
                        .multiplier(1)
                        .jitterPercent(0)
                        .maxExponent(0)
                        .build()
                        .delayNanos(1))
                .isZero();
        assertThat(Backoff.builder()
                        .max(BackoffSettings.LONGEST)
                        .multiplier(10)
                        .jitterPercent(50)
                        .build()
                        .settings()
                        .max())
                .isEqualTo(BackoffSettings.LONGEST);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Ladder.LONGEST + 1})
    void aLadderHasAtLeastOneRungAndABoundedNumber(int attempts) {
        assertThatThrownBy(() -> Backoff.standard().ladder(attempts))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a ladder of " + attempts + " attempts")
                .hasMessageContaining("1 to 10000");
    }

    @Test
    void aRungOutsideTheLadderIsRefused() {
        Ladder ladder = Backoff.standard().ladder(3);
        assertThatThrownBy(() -> ladder.rung(4)).hasMessageContaining("attempt 4: the ladder has attempts 1 to 3");
        assertThatThrownBy(() -> ladder.rung(0)).hasMessageContaining("attempt 0");
    }

    @Test
    void policiesWithTheSameSettingsAreEqual() {
        assertThat(Backoff.builder().build())
                .isEqualTo(Backoff.standard())
                .hasSameHashCodeAs(Backoff.standard())
                .isNotEqualTo(Backoff.aggressive());
        assertThat(Backoff.standard())
                .hasToString(
                        "Backoff[base=PT30S, max=PT5M, multiplier=2.0, jitterPercent=10, maxExponent=2147483647, spread=PERCENT]");
    }
}
