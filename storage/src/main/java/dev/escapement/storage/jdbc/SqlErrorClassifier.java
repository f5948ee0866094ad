package dev.escapement.storage.jdbc;

import java.sql.SQLException;

/** Classifies the errors of a JDBC driver. */
public interface SqlErrorClassifier {

    /** The kinds of errors that occur before the commit. */
    enum ErrorKind {
        /** Short-lived: a retry usually succeeds. */
        TRANSIENT,
        /** The database does not respond or accepts no writes. */
        UNAVAILABLE,
        CORRUPTED,
        UNEXPECTED
    }

    ErrorKind classify(SQLException error);

    /** Returns whether this error of a commit proves that nothing was committed. */
    boolean isCommitRejected(SQLException error);

    boolean isUniqueViolation(SQLException error);

    /** Returns whether the database answers, but accepts no writes. */
    boolean isReadOnly(SQLException error);
}
