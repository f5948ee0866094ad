package dev.escapement.kubernetes.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.kubernetes.Troubles;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class AttemptsTest {

    private final Attempts attempts = new Attempts();

    @Test
    void aConflictIsLookedAtAgainInAMomentAndNeverLaterThanInASecond() {
        assertThat(attempts.again("a")).isBetween(Duration.ofMillis(5), Duration.ofMillis(6));
        assertThat(attempts.again("a")).isBetween(Duration.ofMillis(9), Duration.ofMillis(11));
        for (int i = 0; i < 40; i++) {
            assertThat(attempts.again("a")).isLessThanOrEqualTo(Duration.ofSeconds(1));
        }
        assertThat(attempts.again("a")).isGreaterThanOrEqualTo(Duration.ofMillis(900));
    }

    @Test
    void anApiServerThatDoesNotAnswerIsLeftAloneForLonger() {
        assertThat(attempts.failed("a")).isBetween(Duration.ofMillis(100), Duration.ofMillis(110));
        assertThat(attempts.failed("a")).isBetween(Duration.ofMillis(180), Duration.ofMillis(220));
        for (int i = 0; i < 40; i++) {
            assertThat(attempts.failed("a")).isLessThanOrEqualTo(Duration.ofSeconds(10));
        }
        assertThat(attempts.failed("a")).isGreaterThanOrEqualTo(Duration.ofSeconds(9));
    }

    /** Otherwise trouble would look as if it had been over before it was tried again. */
    @Test
    void aWaitForTroubleIsAlwaysShorterThanTheQuietThatEndsIt() {
        for (int i = 0; i < 40; i++) {
            assertThat(attempts.failed("a")).isLessThan(Troubles.QUIET);
        }
    }

    @Test
    void whatIsDoneBeginsAnew() {
        attempts.failed("a");
        attempts.failed("a");

        attempts.done("a");

        assertThat(attempts.failed("a")).isLessThanOrEqualTo(Duration.ofMillis(110));
    }

    @Test
    void oneDoesNotWaitForAnother() {
        attempts.failed("a");
        attempts.failed("a");

        assertThat(attempts.failed("b")).isLessThanOrEqualTo(Duration.ofMillis(110));
    }
}
