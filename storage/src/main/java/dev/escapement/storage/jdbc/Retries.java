package dev.escapement.storage.jdbc;

import dev.escapement.backoff.Backoff;
import dev.escapement.storage.problem.StorageFailed;
import dev.escapement.storage.problem.StoreUnavailable;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Tries again what failed for a moment, and says in plain words what did not work in the end. */
public final class Retries {

    /** One try. */
    @FunctionalInterface
    public interface Try<T> {

        /** Does it; nothing has changed if it throws. */
        T once() throws SQLException;
    }

    private static final int TRIES = 6;
    private static final Backoff PAUSES = Backoff.builder()
            .base(Duration.ofMillis(5))
            .max(Duration.ofMillis(500))
            .multiplier(3)
            .build();

    private final String database;
    private final Problems problems;
    private final CountDownLatch closed = new CountDownLatch(1);

    /** @param database for the messages: which database, and where */
    public Retries(String database, Problems problems) {
        this.database = database;
        this.problems = problems;
    }

    /**
     * Does something, several times if need be.
     *
     * @param what for the message, as in "cannot ..."
     */
    public <T> T run(Supplier<String> what, Try<T> task) {
        for (int tries = 1; ; tries++) {
            try {
                return task.once();
            } catch (SQLException failed) {
                Problems.Kind kind = problems.kind(failed);
                if (kind != Problems.Kind.BRIEF || tries == TRIES || isClosedAfterPause(tries)) {
                    throw problem(what.get(), kind, tries, failed);
                }
            }
        }
    }

    /** Pauses end at once, and nothing is tried again. */
    public void close() {
        closed.countDown();
    }

    private boolean isClosedAfterPause(int tries) {
        try {
            return closed.await(PAUSES.delayNanos(tries), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    private RuntimeException problem(String what, Problems.Kind kind, int tries, SQLException failed) {
        String message = "cannot %s: %s: %s".formatted(what, database, failed.getMessage());
        return switch (kind) {
            case BRIEF -> new StoreUnavailable(message + " (tried " + tries + " times); try again later", failed);
            case UNAVAILABLE -> new StoreUnavailable(message + "; nothing was changed, try again later", failed);
            case DAMAGED ->
                new StorageFailed(
                        message + "; the database is damaged: restore it from a backup, or repair it", failed);
            case UNEXPECTED -> new StorageFailed(message + "; nothing was changed", failed);
        };
    }
}
