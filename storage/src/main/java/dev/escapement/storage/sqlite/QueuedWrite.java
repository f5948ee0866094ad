package dev.escapement.storage.sqlite;

import dev.escapement.storage.jdbc.SqlFunction;
import dev.escapement.storage.jdbc.SqlSession;
import java.sql.SQLException;
import java.util.Optional;

/** A transaction in the writer's queue, and its result. Used only by the thread that holds the write lock. */
final class QueuedWrite<T> {

    private final SqlFunction<SqlSession, Optional<T>> body;
    private Optional<T> result = Optional.empty();
    private Optional<Exception> failure = Optional.empty();
    private boolean done;

    QueuedWrite(SqlFunction<SqlSession, Optional<T>> body) {
        this.body = body;
    }

    /** Executes the transaction and returns whether it has a result to commit. */
    boolean execute(SqlSession session) {
        done = true;
        try {
            result = body.apply(session);
        } catch (SQLException | RuntimeException error) {
            failure = Optional.of(error);
        }
        return result.isPresent();
    }

    /** Replaces the result: the whole batch was rolled back, or the outcome of its commit is unknown. */
    void fail(Exception error) {
        failure = Optional.of(error);
        done = true;
    }

    boolean isDone() {
        return done;
    }

    Optional<T> result() throws SQLException {
        if (failure.isPresent()) {
            if (failure.get() instanceof SQLException error) {
                throw error;
            }
            throw (RuntimeException) failure.get();
        }
        return result;
    }
}
