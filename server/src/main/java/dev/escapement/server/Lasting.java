package dev.escapement.server;

import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/** Trouble that counts only when it lasts. It lasts from the first look that finds it until one that does not. */
final class Lasting {

    private final Duration patience;
    private final LongSupplier nanos;
    private Optional<Long> since = Optional.empty();

    /** @param nanos a steady clock such as {@link System#nanoTime} */
    Lasting(Duration patience, LongSupplier nanos) {
        this.patience = patience;
        this.nanos = nanos;
    }

    /** The same trouble, once it has lasted for longer than the patience. */
    synchronized Optional<String> of(Optional<String> trouble) {
        long now = nanos.getAsLong();
        since = trouble.map(found -> since.orElse(now));
        return trouble.filter(found -> now - since.orElse(now) > patience.toNanos());
    }
}
