package dev.escapement.backoff;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;

/**
 * How long to wait before the next try: {@code base × multiplier^(attempt-1)}, never above max, spread so that callers
 * that failed together do not come back together.
 *
 * <p>Attempt 1 is the first failure; anything below 1 counts as 1. With the usual spread every draw is uniform on
 * {@code [d·(1-j), d·(1+j)] ∩ [base, max]}: the bounds hold after jitter, and no single value is more likely than
 * another. The cost does not depend on the attempt, and {@code delayNanos} allocates nothing.
 *
 * <p>Immutable and safe to share. No method leaves the jitter out; only a {@code jitterPercent} of 0 does, which is
 * legal because a person may set it, and an architecture test keeps every other class of this project from choosing it.
 */
public final class Backoff {

    private static final Backoff STANDARD = builder().build();
    private static final Backoff CONSERVATIVE = builder().multiplier(1.5).build();
    private static final Backoff AGGRESSIVE = builder().multiplier(3).build();

    private final BackoffSettings settings;
    private final Spread spread;
    private final Spread.Limits limits;
    private final NominalDelays nominalDelays;

    /** The window of each exact rung: where it begins, and how many nanoseconds it has. A draw is then two look-ups. */
    private final long[] lowest;

    private final long[] widths;

    private Backoff(BackoffSettings settings) {
        this.settings = settings;
        this.spread = settings.spread();
        this.limits = Spread.Limits.of(settings);
        this.nominalDelays = new NominalDelays(settings);
        this.lowest = new long[nominalDelays.exactAttempts()];
        this.widths = new long[nominalDelays.exactAttempts()];
        for (int rung = 0; rung < lowest.length; rung++) {
            long nominal = nominalDelays.nominalNanos(rung + 1);
            lowest[rung] = lowestNanos(nominal);
            widths[rung] = highestNanos(nominal) - lowest[rung] + 1;
        }
    }

    /** A policy with these settings. */
    public static Backoff of(BackoffSettings settings) {
        return new Backoff(requireNonNull(settings, "settings is null"));
    }

    /** Doubles, 30 s to 5 min, ±10 %: for most things. */
    public static Backoff standard() {
        return STANDARD;
    }

    /** Grows by half, 30 s to 5 min, ±10 %: for polite retries of something that mostly works. */
    public static Backoff conservative() {
        return CONSERVATIVE;
    }

    /** Triples, 30 s to 5 min, ±10 %: gets out of the way of something that is down. */
    public static Backoff aggressive() {
        return AGGRESSIVE;
    }

    /** Starts from the settings of {@link #standard()}. */
    public static Builder builder() {
        return new Builder();
    }

    /** What this policy was built from. */
    public BackoffSettings settings() {
        return settings;
    }

    /** The wait after the given failure, drawn from the thread's own random source. */
    public Duration delay(int attempt) {
        return Duration.ofNanos(delayNanos(attempt));
    }

    /** The wait after the given failure, drawn from {@code random}: for tests and simulations that own their chance. */
    public Duration delay(int attempt, RandomGenerator random) {
        return Duration.ofNanos(delayNanos(attempt, random));
    }

    /**
     * The wait after the given failure as a pure function of its arguments: the same key and attempt give the same wait
     * on every JVM, for ever, and different keys are spread as evenly as random draws. For planners, and for whatever
     * has to give one answer when asked twice.
     *
     * @param key what is waiting, for example the target and the execution
     */
    public Duration delay(int attempt, String key) {
        return Duration.ofNanos(delayNanos(attempt, key));
    }

    /** {@link #delay(int)} in nanoseconds, without allocation. */
    public long delayNanos(int attempt) {
        return delayNanos(attempt, ThreadLocalRandom.current());
    }

    /** {@link #delay(int, RandomGenerator)} in nanoseconds, without allocation. */
    public long delayNanos(int attempt, RandomGenerator random) {
        return draw(attempt, random.nextLong());
    }

    /** {@link #delay(int, String)} in nanoseconds, without allocation. */
    public long delayNanos(int attempt, String key) {
        return draw(attempt, KeyedRandom.bits(requireNonNull(key, "key is null"), Math.max(1, attempt)));
    }

    /**
     * The first {@code attempts} rungs, with their bounds and sums.
     *
     * @param attempts from 1 to {@link Ladder#LONGEST}
     */
    public Ladder ladder(int attempts) {
        return Ladder.of(attempts, this);
    }

    private long draw(int attempt, long bits) {
        int rung = Math.max(attempt, 1) - 1;
        int last = lowest.length - 1;
        if (rung <= last || nominalDelays.levelsOff()) {
            int known = Math.min(rung, last);
            return lowest[known] + KeyedRandom.scale(widths[known], bits);
        }
        long nominal = nominalNanos(attempt);
        long from = lowestNanos(nominal);
        return from + KeyedRandom.scale(highestNanos(nominal) - from + 1, bits);
    }

    /** Without jitter, so for this package's explanations only: never for waiting. */
    long nominalNanos(int attempt) {
        return nominalDelays.nominalNanos(attempt);
    }

    long lowestNanos(long nominal) {
        return spread.lowest(nominal, limits);
    }

    long highestNanos(long nominal) {
        return spread.highest(nominal, limits);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Backoff that && settings.equals(that.settings);
    }

    @Override
    public int hashCode() {
        return settings.hashCode();
    }

    @Override
    public String toString() {
        return "Backoff" + settings.toString().substring("BackoffSettings".length());
    }

    /** Collects settings; {@link #build()} checks them all together. Not for use by several threads at once. */
    public static final class Builder {

        private Duration base = Duration.ofSeconds(30);
        private Duration max = Duration.ofMinutes(5);
        private double multiplier = 2;
        private int jitterPercent = 10;
        private int maxExponent = BackoffSettings.NO_MAX_EXPONENT;
        private Spread spread = Spread.PERCENT;

        private Builder() {}

        /** The wait after the first failure, not negative; zero turns all waits to zero. Default 30 s. */
        public Builder base(Duration base) {
            this.base = base;
            return this;
        }

        /** The longest wait, jitter included; not shorter than the base, at most a hundred years. Default 5 min. */
        public Builder max(Duration max) {
            this.max = max;
            return this;
        }

        /** The growth from one wait to the next, 1.0 (none) to 10.0. Default 2. */
        public Builder multiplier(double multiplier) {
            this.multiplier = multiplier;
            return this;
        }

        /** The spread around the nominal wait, 0 to 50. Default 10. Callers that fail together need it: avoid 0. */
        public Builder jitterPercent(int jitterPercent) {
            this.jitterPercent = jitterPercent;
            return this;
        }

        /** Stops the growth after this many multiplications, from 0. Default: only max stops it. Prefer max. */
        public Builder maxExponent(int maxExponent) {
            this.maxExponent = maxExponent;
            return this;
        }

        /** Another spread than ± percent; {@code jitterPercent} then has no effect. Default {@link Spread#PERCENT}. */
        public Builder spread(Spread spread) {
            this.spread = spread;
            return this;
        }

        /**
         * The policy.
         *
         * @throws IllegalArgumentException if a setting is out of its bounds; the message has the setting, its value
         *     and the rule
         */
        public Backoff build() {
            return of(new BackoffSettings(base, max, multiplier, jitterPercent, maxExponent, spread));
        }
    }
}
