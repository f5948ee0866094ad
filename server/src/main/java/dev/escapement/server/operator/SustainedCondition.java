package dev.escapement.server.operator;

import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/** Reports a problem only after consecutive checks have found it for longer than {@code minDuration}. */
final class SustainedCondition {

    private final Duration minDuration;
    private final LongSupplier ticker;
    private Optional<Long> since = Optional.empty();

    /** @param ticker a monotonic clock such as {@link System#nanoTime} */
    SustainedCondition(Duration minDuration, LongSupplier ticker) {
        this.minDuration = minDuration;
        this.ticker = ticker;
    }

    /** Returns the problem if it has lasted long enough. */
    synchronized Optional<String> check(Optional<String> problem) {
        long now = ticker.getAsLong();
        since = problem.map(found -> since.orElse(now));
        return problem.filter(found -> now - since.orElse(now) > minDuration.toNanos());
    }
}
