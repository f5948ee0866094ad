package dev.escapement.storage.jdbc;

import dev.escapement.backoff.Backoff;
import dev.escapement.storage.jdbc.SqlErrorClassifier.ErrorKind;
import dev.escapement.storage.problem.StorageException.StorageUnavailableException;
import dev.escapement.storage.problem.StorageException.UnexpectedStorageException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Retries database operations after transient errors and converts the final error to a {@code StorageException}. */
final class SqlRetrier {

    /** One attempt at an operation. If it throws {@link SQLException}, it has changed nothing. */
    interface Attempt<T> {
        T execute() throws SQLException;
    }

    private static final int MAX_ATTEMPTS = 6;
    private static final Backoff BACKOFF = Backoff.builder()
            .base(Duration.ofMillis(5))
            .max(Duration.ofMillis(500))
            .multiplier(3)
            .build();

    private final String database;
    private final SqlErrorClassifier errorClassifier;
    private final CountDownLatch closed = new CountDownLatch(1);

    /** @param database kind and location for messages */
    SqlRetrier(String database, SqlErrorClassifier errorClassifier) {
        this.database = database;
        this.errorClassifier = errorClassifier;
    }

    /**
     * Executes an operation up to {@value #MAX_ATTEMPTS} times.
     *
     * @param what completes "cannot ..." in error messages
     */
    <T> T run(Supplier<String> what, Attempt<T> operation) {
        for (int attempt = 1; ; attempt++) {
            try {
                return operation.execute();
            } catch (SQLException failed) {
                ErrorKind kind = errorClassifier.classify(failed);
                if (kind != ErrorKind.TRANSIENT || attempt == MAX_ATTEMPTS || isClosedAfterDelay(attempt)) {
                    throw toException(what.get(), kind, attempt, failed);
                }
            }
        }
    }

    /** Ends delays between attempts at once; there are no retries afterwards. */
    void close() {
        closed.countDown();
    }

    private boolean isClosedAfterDelay(int attempt) {
        try {
            return closed.await(BACKOFF.delayNanos(attempt), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    private RuntimeException toException(String what, ErrorKind kind, int attempts, SQLException failed) {
        String message = "cannot %s: %s: %s".formatted(what, database, failed.getMessage());
        return switch (kind) {
            case TRANSIENT ->
                new StorageUnavailableException(message + " (attempts=" + attempts + "); try again later", failed);
            case UNAVAILABLE ->
                new StorageUnavailableException(message + "; nothing was changed, try again later", failed);
            case CORRUPTED ->
                new UnexpectedStorageException(
                        message + "; the database is damaged: repair it or restore it from a backup", failed);
            case UNEXPECTED -> new UnexpectedStorageException(message + "; nothing was changed", failed);
        };
    }
}
