package dev.escapement.storage.sqlite;

import dev.escapement.storage.jdbc.Backend;
import dev.escapement.storage.jdbc.SchemaMigrations;
import dev.escapement.storage.jdbc.StatementCounters;
import dev.escapement.storage.problem.UnusableDatabaseException;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;

/** Opens a file, or says what is wrong with it. */
public final class SqliteBackendFactory {

    private SqliteBackendFactory() {}

    /**
     * Opens a file; a new one if there is none.
     *
     * @throws UnusableDatabaseException if it cannot be used; the message has the file, what is wrong and what to do
     */
    public static Backend open(Path path) {
        SqliteFile file = SqliteFile.openExclusively(path);
        try {
            String database = "SQLite file " + file.path();
            if (SchemaMigrations.arePending(database, file.dataSource())) {
                SchemaMigrations.apply("sqlite", database, file.dataSource());
            }
            return new SqliteBackend(file, new StatementCounters());
        } catch (SQLException refused) {
            UnusableDatabaseException problem = unusable(file.path(), refused);
            closeAfterFailure(file, problem);
            throw problem;
        } catch (RuntimeException refused) {
            closeAfterFailure(file, refused);
            throw refused;
        }
    }

    private static UnusableDatabaseException unusable(Path path, SQLException refused) {
        String advice = switch (SqliteErrorClassifier.primaryCode(refused)) {
            case SQLITE_NOTADB -> "it is no SQLite database: name another file, or move this one away";
            case SQLITE_CORRUPT -> "it is damaged: restore it from a backup, or move it away to start anew";
            case SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_PERM ->
                "it cannot be written: check who owns the file and its folder";
            case SQLITE_FULL, SQLITE_IOERR -> "the disk is full or failing: make room, and check the disk";
            case SQLITE_BUSY, SQLITE_LOCKED -> "another program has it locked: end that program first";
            default -> "check the file";
        };
        return new UnusableDatabaseException(
                "cannot use SQLite file %s: %s (%s)".formatted(path, advice, refused.getMessage()), refused);
    }

    private static void closeAfterFailure(SqliteFile file, RuntimeException problem) {
        try {
            file.close();
        } catch (IOException second) {
            problem.addSuppressed(second);
        }
    }
}
