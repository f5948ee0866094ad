package dev.escapement.storage;

import static dev.escapement.engine.contract.ExecutionSamples.execution;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.engine.port.StoreWrite;
import dev.escapement.storage.jdbc.Migrations;
import dev.escapement.storage.problem.DatabaseRefused;
import dev.escapement.storage.problem.StorageProblem;
import dev.escapement.storage.problem.StoreUnavailable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that cannot be used: each says which, why and what to do. */
class BadSqliteTest {

    private final Path folder;

    BadSqliteTest(@TempDir Path folder) {
        this.folder = folder;
    }

    private void refused(Path file, String... words) {
        assertThatThrownBy(() -> Database.sqlite(file).close())
                .isInstanceOf(DatabaseRefused.class)
                .hasMessageContaining(file.toString())
                .hasMessageContainingAll(words);
    }

    private Path filled() {
        Path file = folder.resolve("escapement.db");
        try (Database database = Database.sqlite(file)) {
            for (int i = 0; i < 200; i++) {
                database.store().apply(List.of(new StoreWrite.Creation(execution(i))));
            }
        }
        return file;
    }

    @Test
    void aFileThatIsNoDatabase() throws IOException {
        Path file = Files.writeString(folder.resolve("escapement.db"), "This is a text. ".repeat(1000));
        refused(file, "no SQLite database", "name another file");
        assertThat(Files.readString(file)).startsWith("This is a text.");
    }

    @Test
    void aFileThatWasCutOff() throws IOException {
        Path file = filled();
        try (RandomAccessFile cut = new RandomAccessFile(file.toFile(), "rw")) {
            cut.setLength(cut.length() / 2 / 4096 * 4096);
        }
        refused(file, "damaged", "backup");
    }

    @Test
    void aFileWhoseTablesWereOverwritten() throws IOException {
        Path file = filled();
        try (RandomAccessFile scratched = new RandomAccessFile(file.toFile(), "rw")) {
            scratched.seek(4096);
            byte[] noise = new byte[(int) Math.min(400_000, scratched.length() - 4096)];
            Arrays.fill(noise, (byte) 0xA5);
            scratched.write(noise);
        }
        assertThatThrownBy(() -> {
                    try (Database database = Database.sqlite(file)) {
                        database.store().apply(List.of(new StoreWrite.Creation(execution(1000))));
                    }
                })
                .isInstanceOf(StorageProblem.class)
                .hasMessageContainingAll(file.toString(), "damaged", "backup");
    }

    @Test
    void aFolderThatIsAFile() throws IOException {
        Path file = Files.writeString(folder.resolve("data"), "a file");
        refused(file.resolve("escapement.db"), "cannot write in the folder");
    }

    @Test
    void aFileThatIsAFolder() throws IOException {
        refused(Files.createDirectory(folder.resolve("escapement.db")), "is a folder");
    }

    @Test
    void aFileWithAQuestionMark() {
        refused(folder.resolve("what?.db"), "?", "name another file");
    }

    @Test
    void aFileOfANewerProgram() throws Exception {
        Path file = filled();
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "INSERT INTO escapement_schema_history SELECT 99, '99', description, type, script, checksum,"
                            + " installed_by, installed_on, execution_time, success FROM escapement_schema_history LIMIT 1");
        }
        refused(file, "version 99", "version " + Migrations.newest(), "newer program");
    }

    @Test
    void aFileThatAnotherServerUses() {
        Path file = folder.resolve("escapement.db");
        try (Database first = Database.sqlite(file)) {
            refused(file, "in use by another server", "data folder of its own");
            first.store().apply(List.of(new StoreWrite.Creation(execution(1))));
        }
        Database.sqlite(file).close();
    }

    @Test
    void aFileThatAnotherProgramHasLockedIsWaitedForAndThenUnavailable() throws Exception {
        Path file = folder.resolve("escapement.db");
        try (Database database = Database.sqlite(file);
                Connection other = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = other.createStatement()) {
            statement.execute("BEGIN IMMEDIATE");
            assertThat(database.directory().findExecution("ops", "e1")).isEmpty();
            assertThatThrownBy(() -> database.store().apply(List.of(new StoreWrite.Creation(execution(1)))))
                    .isInstanceOf(StoreUnavailable.class)
                    .hasMessageContainingAll("execution ops/e1", file.toString(), "locked");
            statement.execute("ROLLBACK");
            assertThat(database.store().apply(List.of(new StoreWrite.Creation(execution(1)))))
                    .isTrue();
        }
    }

    @Test
    void aDatabaseThatWasClosedSaysSo() {
        Database database = Database.sqlite(folder.resolve("escapement.db"));
        database.close();
        database.close();
        assertThatThrownBy(database::ping).isInstanceOf(StorageProblem.class);
        assertThatThrownBy(() -> database.store().apply(List.of(new StoreWrite.Creation(execution(1)))))
                .isInstanceOf(StorageProblem.class);
    }
}
