package dev.escapement.storage.jdbc;

import dev.escapement.backoff.Backoff;
import dev.escapement.storage.problem.StorageUnavailableException;
import dev.escapement.storage.problem.UnexpectedStorageException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Tries again what failed for a moment, and says in plain words what did not work in the end. */
public final class SqlRetrier {

    /** One try. */
    @FunctionalInterface
    public interface Attempt<T> {

        /** Does it; nothing has changed if it throws. */
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

    /** @param database for the messages: which database, and where */
    public SqlRetrier(String database, SqlErrorClassifier problems) {
        this.database = database;
        this.errorClassifier = problems;
    }

    /**
     * Does something, several times if need be.
     *
     * @param what for the message, as in "cannot ..."
     */
    public <T> T run(Supplier<String> what, Attempt<T> task) {
        for (int tries = 1; ; tries++) {
            try {
                return task.execute();
            } catch (SQLException failed) {
                SqlErrorClassifier.ErrorKind kind = errorClassifier.classify(failed);
                if (kind != SqlErrorClassifier.ErrorKind.TRANSIENT
                        || tries == MAX_ATTEMPTS
                        || isClosedAfterDelay(tries)) {
                    throw toException(what.get(), kind, tries, failed);
                }
            }
        }
    }

    /** Pauses end at once, and nothing is tried again. */
    public void close() {
        closed.countDown();
    }

    private boolean isClosedAfterDelay(int tries) {
        try {
            return closed.await(BACKOFF.delayNanos(tries), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    private RuntimeException toException(
            String what, SqlErrorClassifier.ErrorKind kind, int tries, SQLException failed) {
        String message = "cannot %s: %s: %s".formatted(what, database, failed.getMessage());
        return switch (kind) {
            case TRANSIENT ->
                new StorageUnavailableException(message + " (tried " + tries + " times); try again later", failed);
            case UNAVAILABLE ->
                new StorageUnavailableException(message + "; nothing was changed, try again later", failed);
            case CORRUPTED ->
                new UnexpectedStorageException(
                        message + "; the database is damaged: restore it from a backup, or repair it", failed);
            case UNEXPECTED -> new UnexpectedStorageException(message + "; nothing was changed", failed);
        };
    }
}
