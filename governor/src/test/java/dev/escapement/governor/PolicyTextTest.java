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
                        Map.entry("block-scope", "target"),
                        Map.entry("reset-on-delete", "true"),
                        Map.entry("executor-timeout", "2m"),
                        Map.entry("max-waiting", "100"));
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
                "block-scope", "target",
                "reset-on-delete", "false",
                "executor-timeout", "30s",
                "max-waiting", "3");
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
                        FailureScope.TARGET,
                        false,
                        Duration.ofSeconds(30),
                        3));
        assertThat(PolicyText.parse(Map.of("block-scope", "workflow")))
                .isEqualTo(Policy.DEFAULT.withBlockScope(FailureScope.WORKFLOW));
        assertThat(PolicyText.parse(PolicyText.format(policy))).isEqualTo(policy);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "cooldown-period          | 5        | cooldown-period: \"5\" is not a duration",
                "cooldown-period          | -5m      | cooldown-period: \"-5m\" is not a duration",
                "cooldown-period          | ''       | cooldown-period: \"\" is not a duration",
                "base-cooldown-period     | 0s       | base-cooldown-period is 0s: it must be at least 200ms, because a failing execution would be retried without any wait",
                "base-cooldown-period     | 1ns      | base-cooldown-period is 1ns: it must be at least 200ms",
                "base-cooldown-period     | 199ms    | base-cooldown-period is 199ms: it must be at least 200ms",
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
                "block-scope              | Target   | block-scope: \"Target\" is neither target nor workflow",
                "reset-on-delete          | yes      | reset-on-delete: \"yes\" is neither true nor false",
                "executor-timeout         | 0s       | executor-timeout: \"0s\" is not between 1s and 1d",
                "executor-timeout         | 2d       | executor-timeout: \"2d\" is not between 1s and 1d",
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
                "base-cooldown-period", "200ms",
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
        assertThatThrownBy(() -> Policy.DEFAULT.withCooldown(Duration.ofNanos(-1)))
                .hasMessage("cooldown is PT-0.000000001S: it must not be negative");
        assertThatThrownBy(() -> Policy.DEFAULT.withMaxConsecutiveFailures(0))
                .hasMessage("max consecutive failures is 0: it must be at least 1");
        assertThatThrownBy(() -> Policy.DEFAULT.withExecutorTimeout(Duration.ZERO))
                .hasMessage("executor timeout is PT0S: it must be longer than zero");
    }

    @Test
    void startedRunMayWaitFiveMinutesByDefault() {
        assertThat(Policy.DEFAULT.pickupTimeout()).isEqualTo(Duration.ofMinutes(5));
    }

    @Test
    void changesOneValue() {
        Policy changed = Policy.DEFAULT
                .withCooldown(Duration.ofSeconds(1))
                .withBackoff(Backoff.standard())
                .withMaxConsecutiveFailures(2)
                .withFailureScope(FailureScope.WORKFLOW)
                .withBlockScope(FailureScope.WORKFLOW)
                .withResetOnDelete(false)
                .withExecutorTimeout(Duration.ofSeconds(3))
                .withMaxWaiting(7);
        assertThat(changed)
                .isEqualTo(new Policy(
                        Duration.ofSeconds(1),
                        Backoff.standard(),
                        2,
                        FailureScope.WORKFLOW,
                        FailureScope.WORKFLOW,
                        false,
                        Duration.ofSeconds(3),
                        7));
        // In another order, so that a wither that drops an earlier change is found.
        assertThat(Policy.DEFAULT
                        .withMaxWaiting(7)
                        .withExecutorTimeout(Duration.ofSeconds(3))
                        .withResetOnDelete(false)
                        .withBlockScope(FailureScope.WORKFLOW)
                        .withFailureScope(FailureScope.WORKFLOW)
                        .withMaxConsecutiveFailures(2)
                        .withBackoff(Backoff.standard())
                        .withCooldown(Duration.ofSeconds(1)))
                .isEqualTo(changed);
    }
}
