package dev.escapement.backoff;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class NominalDelaysTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    @Test
    void exactDelaysEndWithTheFirstThatReachesTheMaximum() {
        NominalDelays delays = of(Backoff.builder().base(SECOND).max(SECOND.multipliedBy(4)));
        assertThat(delays.exactAttempts()).isEqualTo(3);
        assertThat(delays.levelsOff()).isTrue();
        assertThat(delays.nominalNanos(99)).isEqualTo(4_000_000_000L);
    }

    @Test
    void exactDelaysEndWithTheMaximumExponent() {
        NominalDelays delays =
                of(Backoff.builder().base(SECOND).max(Duration.ofHours(1)).maxExponent(2));
        assertThat(delays.exactAttempts()).isEqualTo(3);
        assertThat(delays.levelsOff()).isTrue();
        assertThat(delays.nominalNanos(99)).isEqualTo(4_000_000_000L);
    }

    @Test
    void delaysThatGrowVerySlowlyDoNotLevelOff() {
        NominalDelays delays =
                of(Backoff.builder().base(SECOND).max(Duration.ofHours(1)).multiplier(1.000_001));
        assertThat(delays.exactAttempts()).isEqualTo(NominalDelays.MAX_EXACT_ATTEMPTS);
        assertThat(delays.levelsOff()).isFalse();
        assertThat(delays.nominalNanos(3_000)).isGreaterThan(delays.nominalNanos(2_000));
    }

    @Test
    void hashCodeOfBackoffIsThatOfItsSettings() {
        Backoff backoff = Backoff.standard();
        assertThat(backoff.hashCode()).isEqualTo(backoff.settings().hashCode()).isNotZero();
    }

    private static NominalDelays of(Backoff.Builder builder) {
        return new NominalDelays(builder.build().settings());
    }
}
