package dev.escapement.storage.sqlite;

import dev.escapement.storage.jdbc.Backend;
import dev.escapement.storage.jdbc.SchemaMigrations;
import dev.escapement.storage.jdbc.StatementCounters;
import dev.escapement.storage.problem.UnusableDatabaseException;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;

/** Opens a SQLite file and migrates its schema. */
public final class SqliteBackendFactory {

    private SqliteBackendFactory() {}

    /**
     * Opens a file, creating it if it does not exist.
     *
     * @throws UnusableDatabaseException if it cannot be used; the message has the file, the cause and what to do
     */
    public static Backend open(Path path) {
        SqliteFile file = SqliteFile.openExclusively(path);
        try {
            String database = "SQLite file " + file.path();
            if (SchemaMigrations.arePending(database, file.dataSource())) {
                SchemaMigrations.apply("sqlite", database, file.dataSource());
            }
            return new SqliteBackend(file, new StatementCounters());
        } catch (SQLException failed) {
            throw closeAfterFailure(file, unusable(file.path(), failed));
        } catch (RuntimeException failed) {
            throw closeAfterFailure(file, failed);
        }
    }

    private static UnusableDatabaseException unusable(Path path, SQLException failed) {
        String advice = switch (SqliteErrorClassifier.primaryCode(failed)) {
            case SQLITE_NOTADB -> "it is not a SQLite database: choose another file, or move this one away";
            case SQLITE_CORRUPT ->
                "it is damaged: restore it from a backup, or move it away to start with an empty one";
            case SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_PERM ->
                "it cannot be written: check the permissions of the file and its folder";
            case SQLITE_FULL, SQLITE_IOERR -> "the disk is full or failing: free some space, and check the disk";
            case SQLITE_BUSY, SQLITE_LOCKED -> "another program has locked it: stop that program first";
            default -> "check the file";
        };
        return new UnusableDatabaseException(
                "cannot use SQLite file %s: %s (%s)".formatted(path, advice, failed.getMessage()), failed);
    }

    private static RuntimeException closeAfterFailure(SqliteFile file, RuntimeException failure) {
        try {
            file.close();
        } catch (IOException second) {
            failure.addSuppressed(second);
        }
        return failure;
    }
}
