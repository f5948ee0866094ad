package dev.escapement.server.operator;

import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/** Trouble that counts only when it lasts. It lasts from the first look that finds it until one that does not. */
final class SustainedCondition {

    private final Duration minDuration;
    private final LongSupplier ticker;
    private Optional<Long> since = Optional.empty();

    /** @param nanos a steady clock such as {@link System#nanoTime} */
    SustainedCondition(Duration patience, LongSupplier nanos) {
        this.minDuration = patience;
        this.ticker = nanos;
    }

    /** The same trouble, once it has lasted for longer than the patience. */
    synchronized Optional<String> check(Optional<String> trouble) {
        long now = ticker.getAsLong();
        since = trouble.map(found -> since.orElse(now));
        return trouble.filter(found -> now - since.orElse(now) > minDuration.toNanos());
    }
}
