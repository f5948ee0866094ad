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
    PERCENT {
        @Override
        long lowest(long nominal, Limits limits) {
            long lowest = nominal - limits.jitter(nominal);
            return limits.constant() ? lowest : Math.max(limits.base(), lowest);
        }

        @Override
        long highest(long nominal, Limits limits) {
            return Math.min(limits.max(), nominal + limits.jitter(nominal));
        }
    },

    /** From zero to the nominal delay, also below base: for many clients that contend for one resource. */
    FULL {
        @Override
        long lowest(long nominal, Limits limits) {
            return 0;
        }

        @Override
        long highest(long nominal, Limits limits) {
            return nominal;
        }
    },

    /** From half the nominal delay to all of it: for a quota window that requires a minimum delay. */
    EQUAL {
        @Override
        long lowest(long nominal, Limits limits) {
            return nominal / 2;
        }

        @Override
        long highest(long nominal, Limits limits) {
            return nominal;
        }
    };

    /** Returns the shortest delay in nanoseconds, inclusive. */
    abstract long lowest(long nominal, Limits limits);

    /** Returns the longest delay in nanoseconds, inclusive. */
    abstract long highest(long nominal, Limits limits);

    /** The settings that a spread needs, in nanoseconds. */
    record Limits(long base, long max, int jitterPercent, boolean constant) {

        static Limits of(BackoffSettings settings) {
            return new Limits(
                    settings.base().toNanos(),
                    settings.max().toNanos(),
                    settings.jitterPercent(),
                    settings.isConstant());
        }

        /** Returns {@code nominal × jitterPercent / 100}, rounded down, without overflow. */
        long jitter(long nominal) {
            return nominal / 100 * jitterPercent + nominal % 100 * jitterPercent / 100;
        }
    }
}
