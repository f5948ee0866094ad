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

class BackoffSettingsTest {

    static Stream<Arguments> badSettings() {
        return Stream.of(
                badSetting("base", "PT-1S", "negative", b -> b.base(Duration.ofSeconds(-1))),
                badSetting("base", "PT-0.000000001S", "negative", b -> b.base(Duration.ofNanos(-1))),
                badSetting(
                        "max",
                        "PT29.999999999S",
                        "base PT30S",
                        b -> b.max(Duration.ofSeconds(30).minusNanos(1))),
                badSetting("max", "PT-1S", "base PT30S", b -> b.max(Duration.ofSeconds(-1))),
                badSetting("max", "hundred years", "at most", b -> b.max(BackoffSettings.LONGEST.plusNanos(1))),
                badSetting(
                        "max",
                        Duration.ofSeconds(Long.MAX_VALUE).toString(),
                        "at most",
                        b -> b.max(Duration.ofSeconds(Long.MAX_VALUE))),
                badSetting("multiplier", "0.5", "1.0 to 10.0", b -> b.multiplier(0.5)),
                badSetting("multiplier", "0.9999999999999999", "1.0 to 10.0", b -> b.multiplier(Math.nextDown(1.0))),
                badSetting("multiplier", "10.000000000000002", "1.0 to 10.0", b -> b.multiplier(Math.nextUp(10.0))),
                badSetting("multiplier", "NaN", "1.0 to 10.0", b -> b.multiplier(Double.NaN)),
                badSetting("multiplier", "Infinity", "1.0 to 10.0", b -> b.multiplier(Double.POSITIVE_INFINITY)),
                badSetting("multiplier", "-2.0", "1.0 to 10.0", b -> b.multiplier(-2)),
                badSetting("jitterPercent", "60", "0 to 50", b -> b.jitterPercent(60)),
                badSetting("jitterPercent", "51", "0 to 50", b -> b.jitterPercent(51)),
                badSetting("jitterPercent", "-1", "0 to 50", b -> b.jitterPercent(-1)),
                badSetting("maxExponent", "-1", "negative", b -> b.maxExponent(-1)));
    }

    private static Arguments badSetting(
            String setting, String value, String rule, UnaryOperator<Backoff.Builder> change) {
        return Arguments.of(setting, value, rule, change);
    }

    @ParameterizedTest(name = "{0} = {1}")
    @MethodSource("badSettings")
    void rejectsInvalidSetting(String setting, String value, String rule, UnaryOperator<Backoff.Builder> change) {
        Backoff.Builder builder = change.apply(Backoff.builder());
        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("backoff " + setting + " is ")
                .hasMessageContaining(value)
                .hasMessageContaining(rule);
    }

    @Test
    void rejectsMaxOfZeroWithWhatToDo() {
        Backoff.Builder builder = Backoff.builder().max(Duration.ZERO);
        assertThatThrownBy(builder::build)
                .hasMessage("backoff max is PT0S: it must not be shorter than base PT30S; set both, or base to zero for"
                        + " no delay at all");
    }

    @Test
    void acceptsBoundaryValues() {
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
    void rejectsLadderSizeOutOfRange(int attempts) {
        assertThatThrownBy(() -> Backoff.standard().ladder(attempts))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a ladder of " + attempts + " attempts")
                .hasMessageContaining("1 to 10000");
    }

    @Test
    void rejectsRungOutsideLadder() {
        Ladder ladder = Backoff.standard().ladder(3);
        assertThatThrownBy(() -> ladder.rung(4)).hasMessageContaining("attempt 4: the ladder has attempts 1 to 3");
        assertThatThrownBy(() -> ladder.rung(0)).hasMessageContaining("attempt 0");
    }

    @Test
    void backoffsWithSameSettingsAreEqual() {
        assertThat(Backoff.builder().build())
                .isEqualTo(Backoff.standard())
                .hasSameHashCodeAs(Backoff.standard())
                .isNotEqualTo(Backoff.aggressive());
        assertThat(Backoff.standard())
                .hasToString(
                        "Backoff[base=PT30S, max=PT5M, multiplier=2.0, jitterPercent=10, maxExponent=2147483647, spread=PERCENT]");
    }
}
