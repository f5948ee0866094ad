package dev.escapement.benchmarks.backoff;

import dev.escapement.backoff.BackoffSettings;
import java.util.random.RandomGenerator;

/**
 * The usual implementation: draws first and then clamps to [base, max]. Every draw beyond a bound becomes exactly that
 * bound: half of them at the base, and half of them at the cap.
 */
record ClampAfterJitterBackoff(BackoffSettings settings) {

    long delayNanos(int attempt, RandomGenerator random) {
        double base = settings.base().toNanos();
        double max = settings.max().toNanos();
        double nominal = Math.min(max, base * Math.pow(settings.multiplier(), attempt - 1));
        double jittered = nominal * (1 + (2 * random.nextDouble() - 1) * settings.jitterPercent() / 100);
        return (long) Math.max(base, Math.min(max, jittered));
    }
}
