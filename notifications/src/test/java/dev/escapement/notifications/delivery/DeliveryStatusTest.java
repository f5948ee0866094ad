package dev.escapement.notifications.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.testkit.Property;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DeliveryStatusTest {

    private static final Instant START = Instant.parse("2026-11-17T08:00:00Z");
    private static final DeliveryRetryPolicy POLICY =
            new DeliveryRetryPolicy(3, Duration.ofSeconds(30), 2, Duration.ofMinutes(5));
    private static final List<String> CHANNELS = List.of("log", "ops");
    private static final DeliveryResult OK = DeliveryResult.sent("200");
    private static final DeliveryResult ERROR = DeliveryResult.failed("status 503");

    private static DeliveryStatus record(DeliveryStatus status, DeliveryResult log, DeliveryResult ops, Instant now) {
        return status.record("nr-1", CHANNELS, POLICY, Map.of("log", log, "ops", ops), now);
    }

    @Test
    void isSentWhenEveryChannelReceivedIt() {
        DeliveryStatus status = record(DeliveryStatus.pending(START), OK, OK, START);
        assertThat(status.phase()).isEqualTo(DeliveryPhase.Sent);
        assertThat(status.nextAttemptAt()).isEmpty();
        assertThat(status.completedAt()).contains(START);
    }

    @Test
    void retriesOnlyTheChannelThatFailed() {
        DeliveryStatus status = record(DeliveryStatus.pending(START), OK, ERROR, START);
        assertThat(status.phase()).isEqualTo(DeliveryPhase.Retrying);
        assertThat(status.openChannels(CHANNELS)).containsExactly("ops");
        DeliveryStatus sent = record(status, ERROR, OK, START.plusSeconds(40));
        assertThat(sent.phase()).isEqualTo(DeliveryPhase.Sent);
        assertThat(sent.attempts()).hasSize(3);
    }

    @Test
    void failsAfterTheLastAttempt() {
        DeliveryStatus status = DeliveryStatus.pending(START);
        for (int attempt = 1; attempt <= 3; attempt++) {
            assertThat(status.phase().isTerminal()).isFalse();
            status = record(status, ERROR, ERROR, START.plusSeconds(attempt));
        }
        assertThat(status.phase()).isEqualTo(DeliveryPhase.Failed);
        assertThat(status.attempts()).hasSize(6).last().satisfies(last -> {
            assertThat(last.number()).isEqualTo(3);
            assertThat(last.error()).isEqualTo("status 503");
        });
    }

    @Test
    void isPartiallySentIfOneChannelKeepsFailing() {
        DeliveryStatus status = DeliveryStatus.pending(START);
        for (int attempt = 1; attempt <= 3; attempt++) {
            status = record(status, OK, ERROR, START.plusSeconds(attempt));
        }
        assertThat(status.phase()).isEqualTo(DeliveryPhase.PartiallySent);
    }

    @Test
    void waitsAsLongAsTheReceiverRequestsButNotLongerThanThePolicy() {
        DeliveryResult throttled = new DeliveryResult(false, "status 429", Optional.of(Duration.ofMinutes(2)));
        assertThat(record(DeliveryStatus.pending(START), OK, throttled, START).nextAttemptAt())
                .contains(START.plusSeconds(120));
        DeliveryResult tooLong = new DeliveryResult(false, "status 429", Optional.of(Duration.ofHours(2)));
        assertThat(record(DeliveryStatus.pending(START), OK, tooLong, START).nextAttemptAt())
                .contains(START.plus(POLICY.maxBackoff()));
        DeliveryResult tooShort = new DeliveryResult(false, "status 429", Optional.of(Duration.ofMillis(1)));
        assertThat(record(DeliveryStatus.pending(START), OK, tooShort, START).nextAttemptAt())
                .hasValueSatisfying(at -> assertThat(at).isAfterOrEqualTo(START.plus(POLICY.initialBackoff())));
    }

    @Test
    void retryTimesStayWithinThePolicy() {
        Property.forAll(500, gen -> {
            Duration initial = Duration.ofSeconds(gen.between(1, 600));
            DeliveryRetryPolicy policy = new DeliveryRetryPolicy(
                    gen.between(1, 20), initial, gen.between(1.0, 10.0), initial.plusSeconds(gen.between(0, 3_600)));
            DeliveryStatus status = DeliveryStatus.pending(START);
            Instant now = START;
            int rounds = 0;
            while (!status.phase().isTerminal()) {
                Map<String, DeliveryResult> results = new HashMap<>();
                CHANNELS.forEach(channel -> results.put(
                        channel,
                        new DeliveryResult(gen.oneIn(4), "", Optional.of(Duration.ofSeconds(gen.between(0, 10_000))))));
                status = status.record("nr-" + gen.between(1, 9), CHANNELS, policy, results, now);
                rounds++;
                if (status.nextAttemptAt().isPresent()) {
                    Instant next = status.nextAttemptAt().get();
                    assertThat(Duration.between(now, next)).isBetween(policy.initialBackoff(), policy.maxBackoff());
                    now = next;
                }
            }
            assertThat(rounds).isLessThanOrEqualTo(policy.maxAttempts());
        });
    }

    @Test
    void sameAttemptOfTheSameNotificationGetsTheSameTime() {
        assertThat(record(DeliveryStatus.pending(START), ERROR, ERROR, START))
                .isEqualTo(record(DeliveryStatus.pending(START), ERROR, ERROR, START));
    }

    @Test
    void refusesPolicyOutOfBounds() {
        assertThatThrownBy(() -> new DeliveryRetryPolicy(0, Duration.ofSeconds(1), 2, Duration.ofSeconds(2)))
                .hasMessage("retryPolicy.maxAttempts is 0: it must be from 1 to 100");
        assertThatThrownBy(() -> new DeliveryRetryPolicy(1, Duration.ofSeconds(9), 2, Duration.ofSeconds(2)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new DeliveryRetryPolicy(1, Duration.ofSeconds(1), 99, Duration.ofSeconds(2)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
