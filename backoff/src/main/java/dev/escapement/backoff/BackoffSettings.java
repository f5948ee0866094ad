package dev.escapement.backoff;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/**
 * What a {@link Backoff} is made of. Nonsense is refused here, when the settings are made, so that nothing is left to
 * go wrong in the middle of an outage.
 *
 * @param base the wait after the first failure, from zero; zero means no wait at all, whatever the attempt
 * @param max the longest wait, from {@code base} to {@link #LONGEST}
 * @param multiplier how much longer each wait is than the one before it, 1.0 to 10.0
 * @param jitterPercent half the width of the spread around a wait, 0 to 50; it means something for
 *     {@link Spread#PERCENT} only
 * @param maxExponent the growth stops after this many multiplications, from 0; {@link #NO_MAX_EXPONENT} if only
 *     {@code max} ends it
 * @param spread how the waits of many callers are kept apart
 */
public record BackoffSettings(
        Duration base, Duration max, double multiplier, int jitterPercent, int maxExponent, Spread spread) {

    /** The growth ends at {@code max} and nowhere else. */
    public static final int NO_MAX_EXPONENT = Integer.MAX_VALUE;

    /** A bound for the bound: with it no sum in this package can overflow 64-bit nanoseconds. */
    public static final Duration LONGEST = Duration.ofDays(36_525);

    static final double MIN_MULTIPLIER = 1.0;
    static final double MAX_MULTIPLIER = 10.0;
    static final int MAX_JITTER_PERCENT = 50;

    /** Checks every setting and the pairs that belong together. */
    public BackoffSettings {
        requireNonNull(base, "base is null");
        requireNonNull(max, "max is null");
        requireNonNull(spread, "spread is null");
        require(!base.isNegative(), "base", base, "must not be negative");
        require(max.compareTo(LONGEST) <= 0, "max", max, "must be at most " + LONGEST + " (a hundred years)");
        require(max.compareTo(base) >= 0, "max", max, "must not be shorter than base " + base);
        // Written so that NaN fails too.
        require(
                multiplier >= MIN_MULTIPLIER && multiplier <= MAX_MULTIPLIER,
                "multiplier",
                multiplier,
                "must be from 1.0 to 10.0");
        require(
                jitterPercent >= 0 && jitterPercent <= MAX_JITTER_PERCENT,
                "jitterPercent",
                jitterPercent,
                "must be from 0 to 50");
        require(maxExponent >= 0, "maxExponent", maxExponent, "must not be negative");
    }

    private static void require(boolean holds, String setting, Object value, String rule) {
        if (!holds) {
            throw new IllegalArgumentException("backoff " + setting + " is " + value + ": it " + rule);
        }
    }

    /** Base and max are one wait: nothing grows, and there is room for a spread only below it. */
    boolean isConstant() {
        return base.equals(max);
    }
}
