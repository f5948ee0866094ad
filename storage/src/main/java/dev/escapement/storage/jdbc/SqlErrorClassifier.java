package dev.escapement.storage.jdbc;

import java.sql.SQLException;

/** Reads the errors of a driver. */
public interface SqlErrorClassifier {

    /** What an error means, if it came before the commit. */
    enum ErrorKind {
        /** Gone in a moment, as a rule: worth another try. */
        TRANSIENT,
        /** The database cannot work now. */
        UNAVAILABLE,
        /** The database is not what it should be. */
        CORRUPTED,
        /** Nobody expected it. */
        UNEXPECTED
    }

    /** What this error means. */
    ErrorKind classify(SQLException error);

    /** Whether this error, from a commit, says for certain that nothing was committed. */
    boolean isCommitRejected(SQLException error);
}
