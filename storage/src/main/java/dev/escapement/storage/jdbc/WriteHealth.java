package dev.escapement.storage.jdbc;

import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Remembers whether recent writes failed, for the readiness of the server. The lease of the server is renewed every few
 * seconds, so there is always a recent write. Thread-safe.
 */
final class WriteHealth {

    /**
     * How long a failed write counts after a later one succeeded. On a disk that is nearly full small writes succeed
     * between large ones that fail.
     */
    private static final Duration FAILURE_MEMORY = Duration.ofSeconds(5);

    private final LongSupplier ticker;
    private boolean damaged;
    private boolean failedLast;
    private boolean failedBefore;
    private long failedAt;

    /** @param ticker a monotonic clock in nanoseconds */
    WriteHealth(LongSupplier ticker) {
        this.ticker = ticker;
    }

    synchronized void recordSuccess() {
        failedLast = false;
    }

    synchronized void recordFailure() {
        failedLast = true;
        failedBefore = true;
        failedAt = ticker.getAsLong();
    }

    /** Records that a page of the database is damaged. It stays so until the database is repaired and opened again. */
    synchronized void recordDamage() {
        damaged = true;
    }

    synchronized Optional<String> problem() {
        if (damaged) {
            return Optional.of("is damaged: restore it from a backup");
        }
        boolean recent = failedBefore && ticker.getAsLong() - failedAt < FAILURE_MEMORY.toNanos();
        return failedLast || recent ? Optional.of("writes failed recently: the log has the cause") : Optional.empty();
    }
}
