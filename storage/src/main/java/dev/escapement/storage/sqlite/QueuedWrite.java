package dev.escapement.storage.sqlite;

import dev.escapement.storage.jdbc.SqlSession;
import dev.escapement.storage.jdbc.TransactionBody;
import dev.escapement.storage.problem.CommitOutcomeUnknownException;
import java.sql.SQLException;
import java.util.Optional;

/** A transaction in the writer's queue, and its result. Used only by the thread that holds the write lock. */
final class QueuedWrite<T> {

    private final TransactionBody<Optional<T>> body;
    private Optional<T> result = Optional.empty();
    private Optional<SQLException> sqlError = Optional.empty();
    private Optional<RuntimeException> failure = Optional.empty();
    private boolean done;

    QueuedWrite(TransactionBody<Optional<T>> body) {
        this.body = body;
    }

    /** Executes the transaction and returns whether it has a result to commit. */
    boolean execute(SqlSession session) {
        done = true;
        try {
            result = body.execute(session);
        } catch (SQLException error) {
            sqlError = Optional.of(error);
        } catch (RuntimeException error) {
            failure = Optional.of(error);
        }
        return result.isPresent();
    }

    /** Replaces the result: the whole batch was rolled back, so this transaction changed nothing. */
    void markRolledBack(SQLException error) {
        result = Optional.empty();
        sqlError = Optional.of(error);
        failure = Optional.empty();
        done = true;
    }

    void markOutcomeUnknown(CommitOutcomeUnknownException error) {
        failure = Optional.of(error);
    }

    boolean isDone() {
        return done;
    }

    Optional<T> result() throws SQLException {
        if (failure.isPresent()) {
            throw failure.get();
        } else if (sqlError.isPresent()) {
            throw sqlError.get();
        }
        return result;
    }
}
