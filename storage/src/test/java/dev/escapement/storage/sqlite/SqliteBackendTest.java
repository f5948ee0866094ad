package dev.escapement.storage.sqlite;

import static dev.escapement.engine.contract.ExecutionSamples.execution;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.engine.port.ExecutionQueries.ExecutionFilter;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.storage.Database;
import dev.escapement.storage.jdbc.SchemaMigrations;
import dev.escapement.storage.problem.StorageException;
import dev.escapement.storage.problem.StorageException.StorageUnavailableException;
import dev.escapement.storage.problem.StorageException.UnexpectedStorageException;
import dev.escapement.storage.problem.StorageException.UnusableDatabaseException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Errors name the file, the cause and what to do. */
class SqliteBackendTest {

    private final Path folder;

    SqliteBackendTest(@TempDir Path folder) {
        this.folder = folder;
    }

    private void assertRefused(Path file, String... words) {
        assertThatThrownBy(() -> Database.openSqlite(file).close())
                .isInstanceOf(UnusableDatabaseException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContainingAll(words);
    }

    private Path createFilledDatabase() {
        Path file = folder.resolve("escapement.db");
        try (Database database = Database.openSqlite(file)) {
            for (int i = 0; i < 200; i++) {
                database.store().apply(List.of(new StoreWrite.Creation(execution(i))));
            }
        }
        return file;
    }

    @Test
    void refusesFileThatIsNoDatabase() throws IOException {
        Path file = Files.writeString(folder.resolve("escapement.db"), "This is a text. ".repeat(1000));
        assertRefused(file, "not a SQLite database", "choose another file");
        assertThat(Files.readString(file)).startsWith("This is a text.");
    }

    @Test
    void refusesTruncatedFile() throws IOException {
        Path file = createFilledDatabase();
        try (RandomAccessFile cut = new RandomAccessFile(file.toFile(), "rw")) {
            cut.setLength(cut.length() / 2 / 4096 * 4096);
        }
        assertRefused(file, "damaged", "backup");
    }

    @Test
    void reportsOverwrittenFileAsDamaged() throws IOException {
        Path file = createFilledDatabase();
        try (RandomAccessFile scratched = new RandomAccessFile(file.toFile(), "rw")) {
            scratched.seek(4096);
            byte[] noise = new byte[(int) Math.min(400_000, scratched.length() - 4096)];
            Arrays.fill(noise, (byte) 0xA5);
            scratched.write(noise);
        }
        assertThatThrownBy(() -> {
                    try (Database database = Database.openSqlite(file)) {
                        database.store().apply(List.of(new StoreWrite.Creation(execution(1000))));
                    }
                })
                .isInstanceOf(StorageException.class)
                .hasMessageContainingAll(file.toString(), "damaged", "backup");
    }

    /** A page in the middle of a table is read neither when the file is opened nor by a write. */
    @Test
    void refusesFileWithOneDamagedPage() throws IOException {
        Path file = createFilledDatabase();
        try (RandomAccessFile scratched = new RandomAccessFile(file.toFile(), "rw")) {
            scratched.seek(scratched.length() / 2 / 4096 * 4096);
            byte[] noise = new byte[4096];
            Arrays.fill(noise, (byte) 0xA5);
            scratched.write(noise);
        }
        assertRefused(file, "damaged", "backup");
    }

    /** The page is damaged after the check at the start. */
    @Test
    void reportsDamageThatReadFound() throws IOException {
        Path file = createFilledDatabase();
        try (Database database = Database.openSqlite(file)) {
            assertThat(database.findWriteProblem()).isEmpty();
            try (RandomAccessFile scratched = new RandomAccessFile(file.toFile(), "rw")) {
                scratched.seek(scratched.length() / 2 / 4096 * 4096);
                byte[] noise = new byte[(int) (scratched.length() - scratched.getFilePointer())];
                Arrays.fill(noise, (byte) 0xA5);
                scratched.write(noise);
            }
            assertThatThrownBy(() -> database.queries().listExecutions(ExecutionFilter.ALL, "", 500))
                    .isInstanceOf(UnexpectedStorageException.class)
                    .hasMessageContaining("damaged");
            assertThat(database.findWriteProblem()).contains("is damaged: restore it from a backup");
        }
    }

    @Test
    void quickCheckEndsWhenItsTimeIsUp() throws Exception {
        Path path = createFilledDatabase();
        AtomicLong ticks = new AtomicLong();
        try (SqliteFile file = SqliteFile.openExclusively(path)) {
            new SqliteQuickCheck(file, Duration.ofNanos(2), ticks::incrementAndGet).run();
        }
        assertThat(ticks).hasPositiveValue();
    }

    @Test
    void reportsFailedWritesOfFullDisk() {
        try (Database database = Database.openSqlite(folder.resolve("escapement.db"))) {
            assertThat(database.findWriteProblem()).isEmpty();
            database.backend().write(() -> "limit the size of the file", session -> {
                long pages = session.first("PRAGMA page_count", row -> row.getLong(1))
                        .orElseThrow();
                return session.first("PRAGMA max_page_count = " + pages, row -> row.getLong(1));
            });
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 1000; i++) {
                            database.store().apply(List.of(new StoreWrite.Creation(execution(i))));
                        }
                    })
                    .isInstanceOf(StorageUnavailableException.class)
                    .hasMessageContaining("full");
            assertThat(database.findWriteProblem())
                    .hasValueSatisfying(text -> assertThat(text).contains("writes failed"));
        }
    }

    @Test
    void onlyOwnerCanReadFiles() throws IOException {
        Path file = folder.resolve("escapement.db");
        try (Database database = Database.openSqlite(file)) {
            database.store().apply(List.of(new StoreWrite.Creation(execution(1))));
            assertOwnerOnly("escapement.db", "escapement.db-wal", "escapement.db-shm", "escapement.db.lock");
        }
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-r--"));
        try (Database database = Database.openSqlite(file)) {
            database.store().apply(List.of(new StoreWrite.Creation(execution(2))));
            assertOwnerOnly("escapement.db", "escapement.db-wal", "escapement.db-shm");
        }
    }

    private void assertOwnerOnly(String... names) throws IOException {
        for (String name : names) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve(name))))
                    .describedAs(name)
                    .isEqualTo("rw-------");
        }
    }

    @Test
    void refusesPathBelowRegularFile() throws IOException {
        Path file = Files.writeString(folder.resolve("data"), "a file");
        assertRefused(file.resolve("escapement.db"), "cannot write to the folder");
    }

    @Test
    void refusesFolder() throws IOException {
        assertRefused(Files.createDirectory(folder.resolve("escapement.db")), "is a folder");
    }

    @Test
    void refusesFileNameWithQuestionMark() {
        assertRefused(folder.resolve("what?.db"), "?", "choose another path");
    }

    @Test
    void refusesSchemaOfNewerProgram() throws Exception {
        Path file = createFilledDatabase();
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "INSERT INTO escapement_schema_history SELECT 99, '99', description, type, script, checksum,"
                            + " installed_by, installed_on, execution_time, success FROM escapement_schema_history LIMIT"
                            + " 1");
        }
        assertRefused(file, "version 99", "version " + SchemaMigrations.NEWEST_VERSION, "newer version");
    }

    @Test
    void refusesFileInUseByOtherServer() {
        Path file = folder.resolve("escapement.db");
        try (Database first = Database.openSqlite(file)) {
            assertRefused(file, "in use by another server", "another data folder");
            first.store().apply(List.of(new StoreWrite.Creation(execution(1))));
        }
        Database.openSqlite(file).close();
    }

    @Test
    void reportsUnavailableWhileOtherProgramHoldsLock() throws Exception {
        Path file = folder.resolve("escapement.db");
        try (Database database = Database.openSqlite(file);
                Connection other = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = other.createStatement()) {
            statement.execute("BEGIN IMMEDIATE");
            assertThat(database.queries().findExecution("ops", "e1")).isEmpty();
            assertThatThrownBy(() -> database.store().apply(List.of(new StoreWrite.Creation(execution(1)))))
                    .isInstanceOf(StorageUnavailableException.class)
                    .hasMessageContainingAll("execution ops/e1", file.toString(), "locked");
            statement.execute("ROLLBACK");
            assertThat(database.store().apply(List.of(new StoreWrite.Creation(execution(1)))))
                    .isTrue();
        }
    }

    @Test
    void closedDatabaseRejectsRequests() {
        Database database = Database.openSqlite(folder.resolve("escapement.db"));
        database.close();
        database.close();
        assertThatThrownBy(database::ping).isInstanceOf(StorageException.class);
        assertThatThrownBy(() -> database.store().apply(List.of(new StoreWrite.Creation(execution(1)))))
                .isInstanceOf(StorageException.class);
    }
}
