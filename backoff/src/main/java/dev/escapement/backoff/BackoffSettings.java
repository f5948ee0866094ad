package dev.escapement.backoff;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/**
 * The settings of a {@link Backoff}. They are validated here, so that computing a delay cannot fail.
 *
 * @param base the delay after the first failure, from zero; zero makes all delays zero
 * @param max the longest delay, from {@code base} to {@link #LONGEST}
 * @param multiplier the growth from one delay to the next, 1.0 to 10.0
 * @param jitterPercent half the width of the jitter around a delay, 0 to 50; used by {@link Spread#PERCENT} only
 * @param maxExponent the growth stops after this many multiplications, from 0; {@link #NO_MAX_EXPONENT} if only
 *     {@code max} stops it
 * @param spread the distribution of the jitter
 */
public record BackoffSettings(
        Duration base, Duration max, double multiplier, int jitterPercent, int maxExponent, Spread spread) {

    /** Only {@code max} stops the growth. */
    public static final int NO_MAX_EXPONENT = Integer.MAX_VALUE;

    /** The upper bound of {@code max}: no sum in this package can overflow 64-bit nanoseconds. */
    public static final Duration LONGEST = Duration.ofDays(36_525);

    static final double MIN_MULTIPLIER = 1.0;
    static final double MAX_MULTIPLIER = 10.0;
    static final int MAX_JITTER_PERCENT = 50;

    public BackoffSettings {
        requireNonNull(base, "base is null");
        requireNonNull(max, "max is null");
        requireNonNull(spread, "spread is null");
        require(!base.isNegative(), "base", base, "must not be negative");
        require(max.compareTo(LONGEST) <= 0, "max", max, "must be at most " + LONGEST + " (a hundred years)");
        require(
                max.compareTo(base) >= 0,
                "max",
                max,
                "must not be shorter than base " + base + "; set both, or base to zero for no delay at all");
        // This form rejects NaN too.
        boolean validMultiplier = multiplier >= MIN_MULTIPLIER && multiplier <= MAX_MULTIPLIER;
        require(validMultiplier, "multiplier", multiplier, "must be from 1.0 to 10.0");
        boolean validJitter = jitterPercent >= 0 && jitterPercent <= MAX_JITTER_PERCENT;
        require(validJitter, "jitterPercent", jitterPercent, "must be from 0 to 50");
        require(maxExponent >= 0, "maxExponent", maxExponent, "must not be negative");
    }

    private static void require(boolean holds, String setting, Object value, String rule) {
        if (!holds) {
            throw new IllegalArgumentException("backoff " + setting + " is " + value + ": it " + rule);
        }
    }

    /** Returns whether base equals max: delays do not grow, and jitter has room only below them. */
    boolean isConstant() {
        return base.equals(max);
    }
}
