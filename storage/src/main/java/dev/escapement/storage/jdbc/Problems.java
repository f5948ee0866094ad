package dev.escapement.storage.jdbc;

import java.sql.SQLException;

/** Reads the errors of a driver. */
public interface Problems {

    /** What an error means, if it came before the commit. */
    enum Kind {
        /** Gone in a moment, as a rule: worth another try. */
        BRIEF,
        /** The database cannot work now. */
        UNAVAILABLE,
        /** The database is not what it should be. */
        DAMAGED,
        /** Nobody expected it. */
        UNEXPECTED
    }

    /** What this error means. */
    Kind kind(SQLException error);

    /** Whether this error, from a commit, says for certain that nothing was committed. */
    boolean refusedCommit(SQLException error);
}
