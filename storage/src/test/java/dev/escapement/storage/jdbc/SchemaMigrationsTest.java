package dev.escapement.storage.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.storage.ConcurrentTasks;
import dev.escapement.storage.Database;
import dev.escapement.storage.DatabaseKind;
import dev.escapement.storage.PostgresTestDatabase;
import dev.escapement.storage.TestDatabase;
import java.io.File;
import java.net.URL;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SchemaMigrationsTest {

    @ParameterizedTest
    @ValueSource(strings = {"sqlite", "postgresql"})
    void newestVersionMatchesNewestMigrationFile(String dialect) throws Exception {
        URL folder = Objects.requireNonNull(SchemaMigrations.class.getResource("/db/migration/" + dialect));
        List<String> files = Arrays.asList(Objects.requireNonNull(new File(folder.toURI()).list()));
        int newest = files.stream()
                .mapToInt(file -> Integer.parseInt(file.substring(1, file.indexOf("__"))))
                .max()
                .orElseThrow();
        assertThat(SchemaMigrations.NEWEST_VERSION.getVersion()).isEqualTo(Integer.toString(newest));
    }

    @ParameterizedTest
    @EnumSource(DatabaseKind.class)
    void appliesEachMigrationOnce(DatabaseKind kind) throws Exception {
        try (TestDatabase database = kind.createBlank()) {
            database.open().close();
            database.open().ping();
            assertThat(database.queryColumn("SELECT version FROM escapement_schema_history WHERE version IS NOT NULL"))
                    .containsExactly("1", "2", "3", "4", "5", "6", "7");
        }
    }

    @Test
    void serversStartingTogetherMigrateOnce() throws Exception {
        try (TestDatabase database = PostgresTestDatabase.createBlank()) {
            ConcurrentTasks.runAll(5, i -> {
                try (Database server = database.connect()) {
                    server.ping();
                }
                return true;
            });
            assertThat(database.countRows("journal_era")).isEqualTo(1);
        }
    }
}
