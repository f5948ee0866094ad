package dev.escapement.backoff;

import java.math.BigInteger;
import java.util.Arrays;

/**
 * Computes the nominal delays {@code base × multiplier^(attempt-1)}, at most max, to the nearest nanosecond.
 *
 * <p>They are computed exactly when the policy is built; a look-up is then an array access. With a multiplier so close
 * to 1 that max is not reached within {@link #MAX_EXACT_ATTEMPTS} attempts, later delays are computed in floating point
 * (relative error below 10⁻¹⁵), with {@link StrictMath} so that every JVM gives the same result.
 */
final class NominalDelays {

    /** Enough for every multiplier from 1.05 between a nanosecond and a hundred years. */
    static final int MAX_EXACT_ATTEMPTS = 1024;

    private final long base;
    private final long max;
    private final double multiplier;
    private final int maxExponent;
    private final long[] exactDelays;
    private final boolean levelsOff;

    NominalDelays(BackoffSettings settings) {
        base = settings.base().toNanos();
        max = settings.max().toNanos();
        multiplier = settings.multiplier();
        maxExponent = settings.maxExponent();
        exactDelays = computeExactly();
        long last = exactDelays[exactDelays.length - 1];
        levelsOff = last == max || base == 0 || multiplier == 1.0 || exactDelays.length - 1 == maxExponent;
    }

    /** Returns the number of attempts with an exact delay. Later delays are constant, or in floating point. */
    int exactAttempts() {
        return exactDelays.length;
    }

    /** Returns whether all attempts from {@link #exactAttempts} on have the same delay. */
    boolean levelsOff() {
        return levelsOff;
    }

    /** Attempts below 1 count as the first. */
    long nominalNanos(int attempt) {
        int exponent = attempt < 1 ? 0 : attempt - 1;
        if (exponent < exactDelays.length) {
            return exactDelays[exponent];
        }
        long last = exactDelays[exactDelays.length - 1];
        if (levelsOff) {
            return last;
        }
        double nanos = base * StrictMath.pow(multiplier, Math.min(exponent, maxExponent));
        return Math.max(last, nanos >= max ? max : Math.round(nanos));
    }

    /** Returns every rung up to the one where the growth stops. */
    private long[] computeExactly() {
        if (base == 0 || multiplier == 1.0) {
            return new long[] {base};
        }
        // The multiplier as an exact fraction: factor / 2^scale.
        long bits = Double.doubleToLongBits(multiplier);
        long mantissa = (bits & ((1L << 52) - 1)) | (1L << 52);
        int zeros = Math.min(52, Long.numberOfTrailingZeros(mantissa));
        BigInteger factor = BigInteger.valueOf(mantissa >> zeros);
        int scale = 52 - zeros - Math.getExponent(multiplier);

        // Most ladders have about ten rungs.
        long[] rungs = new long[8];
        BigInteger cap = BigInteger.valueOf(max);
        BigInteger power = BigInteger.valueOf(base);
        for (int exponent = 0; exponent < MAX_EXACT_ATTEMPTS; exponent++) {
            BigInteger rung = scaleDown(power, scale * exponent);
            boolean capped = rung.compareTo(cap) >= 0;
            rungs = exponent < rungs.length ? rungs : Arrays.copyOf(rungs, 2 * rungs.length);
            rungs[exponent] = capped ? max : rung.longValueExact();
            if (capped || exponent == maxExponent) {
                return Arrays.copyOf(rungs, exponent + 1);
            }
            power = power.multiply(factor);
        }
        return rungs;
    }

    /** Returns {@code value / 2^scale}, half rounded up. */
    private static BigInteger scaleDown(BigInteger value, int scale) {
        return scale <= 0
                ? value.shiftLeft(-scale)
                : value.shiftRight(scale - 1).add(BigInteger.ONE).shiftRight(1);
    }
}
