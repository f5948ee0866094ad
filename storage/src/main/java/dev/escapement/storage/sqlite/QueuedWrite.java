package dev.escapement.storage.sqlite;

import dev.escapement.storage.jdbc.SqlSession;
import dev.escapement.storage.jdbc.TransactionBody;
import dev.escapement.storage.problem.CommitOutcomeUnknownException;
import java.sql.SQLException;
import java.util.Optional;

/** Work that waits for its turn, and what became of it. Used by one thread at a time, whoever has the turn. */
final class QueuedWrite<T> {

    private final TransactionBody<Optional<T>> work;
    private Optional<T> result = Optional.empty();
    private Optional<SQLException> sqlError = Optional.empty();
    private Optional<RuntimeException> failure = Optional.empty();
    private boolean done;

    QueuedWrite(TransactionBody<Optional<T>> work) {
        this.work = work;
    }

    /** Returns whether there is something to keep. */
    boolean execute(SqlSession session) {
        done = true;
        try {
            result = work.execute(session);
        } catch (SQLException problem) {
            sqlError = Optional.of(problem);
        } catch (RuntimeException problem) {
            failure = Optional.of(problem);
        }
        return result.isPresent();
    }

    /** It was rolled back after all, as a whole; it is as if it had never been tried. */
    void markRolledBack(SQLException problem) {
        result = Optional.empty();
        sqlError = Optional.of(problem);
        failure = Optional.empty();
        done = true;
    }

    /** Nobody knows whether it was committed. */
    void markOutcomeUnknown(CommitOutcomeUnknownException problem) {
        failure = Optional.of(problem);
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
