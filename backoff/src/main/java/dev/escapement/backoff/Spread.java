package dev.escapement.backoff;

/**
 * The distribution of the jitter. Each spread defines the shortest and the longest delay for a nominal one; the draw
 * between them is uniform.
 */
public enum Spread {

    /**
     * The nominal delay ± the jitter percent, cut to [base, max] <em>before</em> the draw. (Cutting after the draw
     * would move every draw beyond a bound onto that bound: at max, half of them.) If base equals max, the jitter goes
     * downwards.
     */
    PERCENT,

    /** From zero to the nominal delay, also below base: for many clients that contend for one resource. */
    FULL,

    /** From half the nominal delay to all of it: for a quota window that requires a minimum delay. */
    EQUAL;

    /** Returns the shortest delay in nanoseconds, inclusive. */
    long lowest(long nominal, BackoffSettings settings) {
        return switch (this) {
            case PERCENT -> {
                long lowest = nominal - jitter(nominal, settings);
                yield settings.isConstant() ? lowest : Math.max(settings.base().toNanos(), lowest);
            }
            case FULL -> 0;
            case EQUAL -> nominal / 2;
        };
    }

    /** Returns the longest delay in nanoseconds, inclusive. */
    long highest(long nominal, BackoffSettings settings) {
        return this == PERCENT ? Math.min(settings.max().toNanos(), nominal + jitter(nominal, settings)) : nominal;
    }

    /** Returns {@code nominal × jitterPercent / 100}, rounded down, without overflow. */
    private static long jitter(long nominal, BackoffSettings settings) {
        return nominal / 100 * settings.jitterPercent() + nominal % 100 * settings.jitterPercent() / 100;
    }
}
