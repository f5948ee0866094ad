package dev.escapement.governor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.backoff.Backoff;
import dev.escapement.backoff.DurationText;
import dev.escapement.backoff.Ladder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PolicyTextTest {

    @Test
    void defaultsMatchSpecification() {
        assertThat(PolicyText.format(PolicyText.parse(Map.of())))
                .containsExactly(
                        Map.entry("cooldown-period", "5m"),
                        Map.entry("base-cooldown-period", "1m"),
                        Map.entry("max-cooldown-period", "10m"),
                        Map.entry("max-backoff-exponent", "4"),
                        Map.entry("max-consecutive-failures", "5"),
                        Map.entry("failure-scope", "target"),
                        Map.entry("reset-on-delete", "true"));
        assertThat(PolicyText.parse(Map.of())).isEqualTo(Policy.DEFAULT);
        assertThat(Policy.DEFAULT.backoff().settings().jitterPercent()).isEqualTo(10);
        assertThat(Policy.DEFAULT.backoff().ladder(5).rungs())
                .extracting(Ladder.Rung::nominal)
                .isEqualTo(List.of("1m", "2m", "4m", "8m", "10m").stream()
                        .map(DurationText::parse)
                        .toList());
    }

    @Test
    void readsEveryKey() {
        Map<String, String> texts = Map.of(
                "cooldown-period", "90s",
                "base-cooldown-period", "2m",
                "max-cooldown-period", " 20m ",
                "max-backoff-exponent", "3",
                "max-consecutive-failures", "7",
                "failure-scope", "workflow",
                "reset-on-delete", "false");
        Policy policy = PolicyText.parse(texts);
        assertThat(policy)
                .isEqualTo(new Policy(
                        Duration.ofSeconds(90),
                        Backoff.builder()
                                .base(Duration.ofMinutes(2))
                                .max(Duration.ofMinutes(20))
                                .maxExponent(3)
                                .build(),
                        7,
                        FailureScope.WORKFLOW,
                        false));
        assertThat(PolicyText.parse(PolicyText.format(policy))).isEqualTo(policy);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "cooldown-period          | 5        | cooldown-period: \"5\" is not a duration",
                "cooldown-period          | -5m      | cooldown-period: \"-5m\" is not a duration",
                "cooldown-period          | ''       | cooldown-period: \"\" is not a duration",
                "base-cooldown-period     | fast     | base-cooldown-period: \"fast\" is not a duration",
                "base-cooldown-period     | 11m      | max-cooldown-period is 10m: it must not be shorter than base-cooldown-period, which is 11m",
                "max-cooldown-period      | 1s       | max-cooldown-period is 1s: it must not be shorter",
                "max-cooldown-period      | 40000d   | max-cooldown-period is 40000d: it must be at most a hundred years",
                "max-backoff-exponent     | -1       | max-backoff-exponent: \"-1\" is not a whole number from 0 to",
                "max-backoff-exponent     | 4.5      | max-backoff-exponent: \"4.5\" is not a whole number",
                "max-consecutive-failures | 0        | max-consecutive-failures: \"0\" is not a whole number from 1 to",
                "max-consecutive-failures | many     | max-consecutive-failures: \"many\" is not a whole number",
                "max-consecutive-failures | 99999999999 | max-consecutive-failures: \"99999999999\" is not a whole number",
                "failure-scope            | cluster  | failure-scope: \"cluster\" is neither target nor workflow",
                "reset-on-delete          | yes      | reset-on-delete: \"yes\" is neither true nor false",
                "colldown-period          | 5m       | colldown-period is not a setting (settings: cooldown-period, base-cooldown-period,",
            })
    void rejectsInvalidValueWithKeyAndRule(String key, String value, String problem) {
        assertThatThrownBy(() -> PolicyText.parse(Map.of(key, value)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("policy refused: ")
                .hasMessageContaining(problem);
    }

    @Test
    void acceptsBoundaryValues() {
        Policy least = PolicyText.parse(Map.of(
                "cooldown-period", "0",
                "base-cooldown-period", "0s",
                "max-cooldown-period", "36525d",
                "max-backoff-exponent", "0",
                "max-consecutive-failures", "1"));
        assertThat(least.cooldown()).isZero();
        assertThat(least.backoff().settings().maxExponent()).isZero();
        assertThat(least.maxConsecutiveFailures()).isEqualTo(1);
        assertThat(PolicyText.parse(Map.of("base-cooldown-period", "10m"))
                        .backoff()
                        .settings()
                        .base())
                .isEqualTo(Duration.ofMinutes(10));
    }

    @Test
    void reportsAllProblemsAtOnce() {
        assertThatThrownBy(() -> PolicyText.parse(Map.of("cooldown-period", "x", "failure-scope", "y", "zzz", "1")))
                .hasMessageContaining("cooldown-period: ")
                .hasMessageContaining("failure-scope: ")
                .hasMessageContaining("zzz is not a setting");
    }

    @Test
    void validatesPolicyCreatedInCode() {
        assertThatThrownBy(() -> new Policy(Duration.ofNanos(-1), Backoff.standard(), 5, FailureScope.TARGET, true))
                .hasMessage("cooldown is PT-0.000000001S: it must not be negative");
        assertThatThrownBy(() -> new Policy(Duration.ZERO, Backoff.standard(), 0, FailureScope.TARGET, true))
                .hasMessage("max consecutive failures is 0: it must be at least 1");
    }
}
