package dev.escapement.backoff;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;

/**
 * Computes how long to wait before the next attempt: {@code base × multiplier^(attempt-1)}, at most max, with jitter so
 * that callers that failed together do not retry together.
 *
 * <p>Attempt 1 is the first failure; anything below 1 counts as 1. With {@link Spread#PERCENT} a delay is drawn
 * uniformly from {@code [d·(1-j), d·(1+j)] ∩ [base, max]}: the bounds hold after jitter. The cost does not depend on
 * the attempt, and {@code delayNanos} allocates nothing.
 *
 * <p>Immutable and thread-safe. The only way to disable jitter is a {@code jitterPercent} of 0, which users may
 * configure; an architecture test keeps the other classes of this project from using it.
 */
public final class Backoff {

    private static final Backoff STANDARD = builder().build();
    private static final Backoff CONSERVATIVE = builder().multiplier(1.5).build();
    private static final Backoff AGGRESSIVE = builder().multiplier(3).build();

    private final BackoffSettings settings;
    private final NominalDelays nominalDelays;

    /** The lowest delay of each exact rung, and the number of delays in its window: a draw is then two look-ups. */
    private final long[] lowest;

    private final long[] widths;

    private Backoff(BackoffSettings settings) {
        this.settings = settings;
        this.nominalDelays = new NominalDelays(settings);
        this.lowest = new long[nominalDelays.exactAttempts()];
        this.widths = new long[nominalDelays.exactAttempts()];
        for (int rung = 0; rung < lowest.length; rung++) {
            long nominal = nominalDelays.nominalNanos(rung + 1);
            lowest[rung] = lowestNanos(nominal);
            widths[rung] = highestNanos(nominal) - lowest[rung] + 1;
        }
    }

    public static Backoff of(BackoffSettings settings) {
        return new Backoff(requireNonNull(settings, "settings is null"));
    }

    /** Doubles, 30 s to 5 min, ±10 %: the general default. */
    public static Backoff standard() {
        return STANDARD;
    }

    /** Grows by half, 30 s to 5 min, ±10 %: for failures that are usually short. */
    public static Backoff conservative() {
        return CONSERVATIVE;
    }

    /** Triples, 30 s to 5 min, ±10 %: for a dependency that is down. */
    public static Backoff aggressive() {
        return AGGRESSIVE;
    }

    /** Returns a builder with the settings of {@link #standard()}. */
    public static Builder builder() {
        return new Builder();
    }

    public BackoffSettings settings() {
        return settings;
    }

    /** Draws the delay after the given failure from {@link ThreadLocalRandom}. */
    public Duration delay(int attempt) {
        return Duration.ofNanos(delayNanos(attempt));
    }

    /** Draws the delay after the given failure from {@code random}: for tests and simulations with a seed. */
    public Duration delay(int attempt, RandomGenerator random) {
        return Duration.ofNanos(delayNanos(attempt, random));
    }

    /**
     * Computes the delay after the given failure as a pure function of its arguments: the same key and attempt give the
     * same delay on every JVM and in every release, and different keys are spread as evenly as random draws. For
     * planners and other code that must compute the same deadline again.
     *
     * @param key identifies what is waiting, for example the target and the execution
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
     * Returns the first {@code attempts} rungs, with their bounds and sums.
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

    /** Without jitter: for the ladder and the tests of this package, never for waiting. */
    long nominalNanos(int attempt) {
        return nominalDelays.nominalNanos(attempt);
    }

    long lowestNanos(long nominal) {
        return settings.spread().lowest(nominal, settings);
    }

    long highestNanos(long nominal) {
        return settings.spread().highest(nominal, settings);
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

    /** Collects settings; {@link #build()} validates them. Not thread-safe. */
    public static final class Builder {

        private Duration base = Duration.ofSeconds(30);
        private Duration max = Duration.ofMinutes(5);
        private double multiplier = 2;
        private int jitterPercent = 10;
        private int maxExponent = BackoffSettings.NO_MAX_EXPONENT;
        private Spread spread = Spread.PERCENT;

        private Builder() {}

        /** Sets the delay after the first failure, not negative; zero makes all delays zero. Default 30 s. */
        public Builder base(Duration base) {
            this.base = base;
            return this;
        }

        /** Sets the longest delay, jitter included, from the base to a hundred years. Default 5 min. */
        public Builder max(Duration max) {
            this.max = max;
            return this;
        }

        /** Sets the growth from one delay to the next, 1.0 (none) to 10.0. Default 2. */
        public Builder multiplier(double multiplier) {
            this.multiplier = multiplier;
            return this;
        }

        /** Sets the jitter around the nominal delay, 0 to 50. Default 10. With 0, callers retry in lockstep. */
        public Builder jitterPercent(int jitterPercent) {
            this.jitterPercent = jitterPercent;
            return this;
        }

        /** Stops the growth after this many multiplications, from 0. Default: only max stops it. Prefer max. */
        public Builder maxExponent(int maxExponent) {
            this.maxExponent = maxExponent;
            return this;
        }

        /**
         * Sets the distribution of the jitter; only {@link Spread#PERCENT}, the default, uses {@code jitterPercent}.
         */
        public Builder spread(Spread spread) {
            this.spread = spread;
            return this;
        }

        /**
         * Builds the policy.
         *
         * @throws IllegalArgumentException if a setting is out of its bounds; the message names the setting, its value
         *     and the rule
         */
        public Backoff build() {
            return of(new BackoffSettings(base, max, multiplier, jitterPercent, maxExponent, spread));
        }
    }
}
