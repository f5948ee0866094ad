package dev.escapement.backoff;

/**
 * How the waits of callers that failed together are kept apart. Each spread names the shortest and the longest wait for
 * a nominal one; the draw between them is uniform, so that no instant gets more than its share.
 */
public enum Spread {

    /**
     * The nominal wait ± the jitter percent, cut to [base, max] <em>before</em> the draw. (Drawing first and cutting
     * afterwards would move every draw beyond a bound onto that bound: half of them, at the cap.) If base and max are
     * the same there is no room between them, and the spread goes downwards.
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

    /** Anything from zero to the nominal wait: for many clients that contend for one resource. Goes below the base. */
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

    /** From half the nominal wait to all of it: for a quota window that needs some wait in any case. */
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

    /** The shortest wait in nanoseconds, inclusive. */
    abstract long lowest(long nominal, Limits limits);

    /** The longest wait in nanoseconds, inclusive. */
    abstract long highest(long nominal, Limits limits);

    /** What a spread has to know of the settings, in nanoseconds. */
    record Limits(long base, long max, int jitterPercent, boolean constant) {

        static Limits of(BackoffSettings settings) {
            return new Limits(
                    settings.base().toNanos(),
                    settings.max().toNanos(),
                    settings.jitterPercent(),
                    settings.isConstant());
        }

        /** {@code nominal × jitterPercent / 100}, rounded down; the product itself could overflow. */
        long jitter(long nominal) {
            return nominal / 100 * jitterPercent + nominal % 100 * jitterPercent / 100;
        }
    }
}
