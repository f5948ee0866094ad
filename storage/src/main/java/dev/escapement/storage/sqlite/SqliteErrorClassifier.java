package dev.escapement.storage.sqlite;

import dev.escapement.storage.jdbc.SqlErrorClassifier;
import java.sql.SQLException;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** Classifies errors by SQLite's result codes. */
final class SqliteErrorClassifier implements SqlErrorClassifier {

    @Override
    public ErrorKind classify(SQLException error) {
        return switch (primaryCode(error)) {
            case SQLITE_LOCKED, SQLITE_PROTOCOL -> ErrorKind.TRANSIENT;
            // Busy is not transient: SQLite itself has waited for the busy timeout.
            case SQLITE_BUSY, SQLITE_FULL, SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_NOMEM, SQLITE_PERM ->
                ErrorKind.UNAVAILABLE;
            case SQLITE_CORRUPT, SQLITE_NOTADB -> ErrorKind.CORRUPTED;
            default -> ErrorKind.UNEXPECTED;
        };
    }

    /** After any other error a restart may still find the commit in the write-ahead log. */
    @Override
    public boolean isCommitRejected(SQLException error) {
        SQLiteErrorCode code = primaryCode(error);
        return code == SQLiteErrorCode.SQLITE_BUSY || code == SQLiteErrorCode.SQLITE_CONSTRAINT;
    }

    @Override
    public boolean isUniqueViolation(SQLException error) {
        return error instanceof SQLiteException known
                && (known.getResultCode() == SQLiteErrorCode.SQLITE_CONSTRAINT_UNIQUE
                        || known.getResultCode() == SQLiteErrorCode.SQLITE_CONSTRAINT_PRIMARYKEY);
    }

    @Override
    public boolean isReadOnly(SQLException error) {
        return primaryCode(error) == SQLiteErrorCode.SQLITE_READONLY;
    }

    /** Returns the result code without its extension: the lowest eight bits. */
    static SQLiteErrorCode primaryCode(SQLException error) {
        return error instanceof SQLiteException known
                ? SQLiteErrorCode.getErrorCode(known.getResultCode().code & 0xff)
                : SQLiteErrorCode.SQLITE_ERROR;
    }
}
