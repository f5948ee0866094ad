package dev.escapement.notifications.folding;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/**
 * How many notifications are sent one by one.
 *
 * @param window the time that a summary covers; it is sent when the window ends
 * @param perTarget skips with the same reason on the same target in a window that are sent one by one
 * @param overall notifications of the same type and severity in a window that are sent one by one
 */
public record FoldingPolicy(Duration window, int perTarget, int overall) {

    private static final Duration MIN_WINDOW = Duration.ofSeconds(1);
    private static final Duration MAX_WINDOW = Duration.ofDays(1);

    public static final FoldingPolicy DEFAULT = new FoldingPolicy(Duration.ofMinutes(5), 2, 20);

    public FoldingPolicy {
        requireNonNull(window, "window is null");
        if (window.compareTo(MIN_WINDOW) < 0 || window.compareTo(MAX_WINDOW) > 0) {
            throw new IllegalArgumentException("the window of a summary is " + window + ": it must be from 1s to 1d");
        }
        requireNotNegative("per target", perTarget);
        requireNotNegative("overall", overall);
    }

    private static void requireNotNegative(String name, int limit) {
        if (limit < 0) {
            throw new IllegalArgumentException("the limit %s is %d: it must not be negative".formatted(name, limit));
        }
    }
}
