package dev.escapement.notifications.delivery;

import static java.util.Objects.requireNonNull;

import dev.escapement.backoff.Backoff;
import java.time.Duration;

/**
 * When a failed delivery is retried.
 *
 * @param maxAttempts the first one included, 1 to 100
 * @param initialBackoff the delay after the first failed attempt, from 1 s
 * @param multiplier the growth from one delay to the next, 1 to 10
 * @param maxBackoff the longest delay, from {@code initialBackoff} to a day
 */
public record DeliveryRetryPolicy(int maxAttempts, Duration initialBackoff, double multiplier, Duration maxBackoff) {

    private static final int ATTEMPT_LIMIT = 100;
    private static final Duration LONGEST = Duration.ofDays(1);

    /** Gives up after about half an hour. */
    public static final DeliveryRetryPolicy DEFAULT =
            new DeliveryRetryPolicy(8, Duration.ofSeconds(10), 2, Duration.ofMinutes(10));

    public DeliveryRetryPolicy {
        requireNonNull(initialBackoff, "initialBackoff is null");
        requireNonNull(maxBackoff, "maxBackoff is null");
        require(maxAttempts >= 1 && maxAttempts <= ATTEMPT_LIMIT, "maxAttempts", maxAttempts, "from 1 to 100");
        require(initialBackoff.compareTo(Duration.ofSeconds(1)) >= 0, "initialBackoff", initialBackoff, "at least 1 s");
        require(maxBackoff.compareTo(LONGEST) <= 0, "maxBackoff", maxBackoff, "at most a day");
        // Validates the multiplier and the order of the two delays.
        Backoff.builder()
                .base(initialBackoff)
                .max(maxBackoff)
                .multiplier(multiplier)
                .build();
    }

    private static void require(boolean holds, String name, Object value, String rule) {
        if (!holds) {
            throw new IllegalArgumentException("retryPolicy.%s is %s: it must be %s".formatted(name, value, rule));
        }
    }

    /** Returns the delays. */
    public Backoff backoff() {
        return Backoff.builder()
                .base(initialBackoff)
                .max(maxBackoff)
                .multiplier(multiplier)
                .build();
    }

    /**
     * Returns the delay after a failed attempt, from {@code initialBackoff} to {@code maxBackoff}.
     *
     * @param attempt from 1
     * @param key the name of the notification; the same key and attempt give the same delay
     * @param requested the delay that the receiver requests; zero for none. A longer one than the policy's is used up
     *     to {@code maxBackoff}
     */
    public Duration delay(int attempt, String key, Duration requested) {
        Duration own = backoff().delay(attempt, key);
        Duration limited = requested.compareTo(maxBackoff) > 0 ? maxBackoff : requested;
        return limited.compareTo(own) > 0 ? limited : own;
    }
}
