package dev.escapement.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.storage.jdbc.Migrations;
import java.io.File;
import java.net.URL;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The tables, and that the program knows which version of them is the newest. */
class MigrationsTest {

    @ParameterizedTest
    @ValueSource(strings = {"sqlite", "postgresql"})
    void theProgramKnowsItsNewestFile(String dialect) throws Exception {
        URL folder = Objects.requireNonNull(Migrations.class.getResource("/db/migration/" + dialect));
        List<String> files = Arrays.asList(Objects.requireNonNull(new File(folder.toURI()).list()));
        int newest = files.stream()
                .mapToInt(file -> Integer.parseInt(file.substring(1, file.indexOf("__"))))
                .max()
                .orElseThrow();
        assertThat(Migrations.newest()).isEqualTo(Integer.toString(newest));
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void tablesAreMadeOnce(Kind kind) throws Exception {
        try (TestDatabase world = kind.fresh()) {
            world.open().close();
            world.open().ping();
            assertThat(world.column("SELECT version FROM escapement_schema_history WHERE version IS NOT NULL"))
                    .containsExactly("1", "2");
        }
    }

    @Test
    void serversThatStartTogetherMakeThemOnce() throws Exception {
        try (TestDatabase world = RealPostgres.fresh()) {
            Together.each(5, i -> {
                try (Database database = world.connect()) {
                    database.ping();
                }
                return true;
            });
            assertThat(world.count("journal_era")).isEqualTo(1);
        }
    }
}
