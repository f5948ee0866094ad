package dev.escapement.storage.sqlite;

import dev.escapement.storage.jdbc.Session;
import dev.escapement.storage.jdbc.Work;
import dev.escapement.storage.problem.OutcomeUnknown;
import java.sql.SQLException;
import java.util.Optional;

/** Work that waits for its turn, and what became of it. Used by one thread at a time, whoever has the turn. */
final class Pending<T> {

    private final Work<Optional<T>> work;
    private Optional<T> result = Optional.empty();
    private Optional<SQLException> refused = Optional.empty();
    private Optional<RuntimeException> failed = Optional.empty();
    private boolean done;

    Pending(Work<Optional<T>> work) {
        this.work = work;
    }

    /** Returns whether there is something to keep. */
    boolean isDoneWell(Session session) {
        done = true;
        try {
            result = work.on(session);
        } catch (SQLException problem) {
            refused = Optional.of(problem);
        } catch (RuntimeException problem) {
            failed = Optional.of(problem);
        }
        return result.isPresent();
    }

    /** It was rolled back after all, as a whole; it is as if it had never been tried. */
    void undone(SQLException problem) {
        result = Optional.empty();
        refused = Optional.of(problem);
        failed = Optional.empty();
        done = true;
    }

    /** Nobody knows whether it was committed. */
    void lost(OutcomeUnknown problem) {
        failed = Optional.of(problem);
    }

    boolean isDone() {
        return done;
    }

    Optional<T> result() throws SQLException {
        if (failed.isPresent()) {
            throw failed.get();
        } else if (refused.isPresent()) {
            throw refused.get();
        }
        return result;
    }
}
