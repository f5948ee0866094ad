package dev.escapement.storage.sqlite;

import dev.escapement.storage.jdbc.Backend;
import dev.escapement.storage.jdbc.Counters;
import dev.escapement.storage.jdbc.Migrations;
import dev.escapement.storage.problem.DatabaseRefused;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;

/** Opens a file, or says what is wrong with it. */
public final class SqliteOpening {

    private SqliteOpening() {}

    /**
     * Opens a file; a new one if there is none.
     *
     * @throws DatabaseRefused if it cannot be used; the message has the file, what is wrong and what to do
     */
    public static Backend open(Path path) {
        SqliteFile file = SqliteFile.claim(path);
        try {
            String database = "SQLite file " + file.path();
            if (Migrations.areMissing(database, file.source())) {
                Migrations.apply("sqlite", database, file.source());
            }
            return new SqliteBackend(file, new Counters());
        } catch (SQLException refused) {
            DatabaseRefused problem = refusal(file.path(), refused);
            release(file, problem);
            throw problem;
        } catch (RuntimeException refused) {
            release(file, refused);
            throw refused;
        }
    }

    private static DatabaseRefused refusal(Path path, SQLException refused) {
        String advice = switch (SqliteProblems.primary(refused)) {
            case SQLITE_NOTADB -> "it is no SQLite database: name another file, or move this one away";
            case SQLITE_CORRUPT -> "it is damaged: restore it from a backup, or move it away to start anew";
            case SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_PERM ->
                "it cannot be written: check who owns the file and its folder";
            case SQLITE_FULL, SQLITE_IOERR -> "the disk is full or failing: make room, and check the disk";
            case SQLITE_BUSY, SQLITE_LOCKED -> "another program has it locked: end that program first";
            default -> "check the file";
        };
        return new DatabaseRefused(
                "cannot use SQLite file %s: %s (%s)".formatted(path, advice, refused.getMessage()), refused);
    }

    private static void release(SqliteFile file, RuntimeException problem) {
        try {
            file.close();
        } catch (IOException second) {
            problem.addSuppressed(second);
        }
    }
}
