package dev.escapement.storage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/** The databases that every test of the shared code runs on. */
public enum DatabaseKind {
    SQLITE {
        @Override
        public TestDatabase create() {
            return SqliteTestDatabase.create(true);
        }

        @Override
        public TestDatabase createBlank() {
            return SqliteTestDatabase.create(false);
        }
    },
    POSTGRESQL {
        @Override
        public TestDatabase create() {
            return PostgresTestDatabase.create();
        }

        @Override
        public TestDatabase createBlank() {
            return PostgresTestDatabase.createBlank();
        }
    };

    /** Creates a database with an empty schema, which is faster than to migrate one. */
    public abstract TestDatabase create();

    /** Creates a database that is migrated when it is opened. */
    public abstract TestDatabase createBlank();

    /** Prepares the file of a SQLite database as {@link #create} does. */
    public static void copySqliteTemplate(Path file) throws IOException {
        Files.copy(SqliteTemplate.FILE, file, StandardCopyOption.COPY_ATTRIBUTES);
    }

    /** A database that was migrated once in this JVM, and that others are copied from. */
    private static final class SqliteTemplate {

        static final Path FILE = migrate();

        private static Path migrate() {
            try {
                Path folder = Files.createTempDirectory("escapement-template");
                Path file = folder.resolve("escapement.db");
                Database.openSqlite(file).close();
                folder.toFile().deleteOnExit();
                try (var files = Files.list(folder)) {
                    files.forEach(each -> each.toFile().deleteOnExit());
                }
                return file;
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        }
    }

    private static final class SqliteTestDatabase extends TestDatabase {

        private final Path file;

        private SqliteTestDatabase(Path file) {
            this.file = file;
        }

        static SqliteTestDatabase create(boolean migrated) {
            try {
                Path file = Files.createTempDirectory("escapement-test").resolve("escapement.db");
                if (migrated) {
                    copySqliteTemplate(file);
                }
                return new SqliteTestDatabase(file);
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
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
