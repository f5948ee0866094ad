package dev.escapement.storage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/** The databases that every test of the shared code runs on. */
public enum DatabaseKind {
    SQLITE {
        @Override
        public TestDatabase create() {
            try {
                return new SqliteTestDatabase(
                        Files.createTempDirectory("escapement-test").resolve("escapement.db"));
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        }
    },
    POSTGRESQL {
        @Override
        public TestDatabase create() {
            return PostgresTestDatabase.create();
        }
    };

    /** Creates an empty database. */
    public abstract TestDatabase create();

    private static final class SqliteTestDatabase extends TestDatabase {

        private final Path file;

        SqliteTestDatabase(Path file) {
            this.file = file;
        }

        @Override
        public Database connect() {
            return Database.openSqlite(file);
        }

        @Override
        public String numbersTable(int count) {
            return "(WITH RECURSIVE up(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM up WHERE n < %d) SELECT n FROM up)"
                    .formatted(count);
        }

        @Override
        String explainPrefix() {
            return "EXPLAIN QUERY PLAN ";
        }

        @Override
        int planColumn() {
            return 4;
        }

        @Override
        public Connection openRawConnection() throws SQLException {
            return DriverManager.getConnection("jdbc:sqlite:" + file);
        }

        @Override
        public void close() {
            super.close();
            try (var files = Files.list(file.getParent())) {
                for (Path each : files.toList()) {
                    Files.delete(each);
                }
                Files.delete(file.getParent());
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        }
    }
}
