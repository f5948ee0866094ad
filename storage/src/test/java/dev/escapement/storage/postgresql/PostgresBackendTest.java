package dev.escapement.storage.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.storage.Database;
import dev.escapement.storage.PostgresTestDatabase;
import dev.escapement.storage.SecretText;
import dev.escapement.storage.problem.StorageException;
import dev.escapement.storage.problem.StorageException.UnusableDatabaseException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

/** Errors name the database, the cause and what to do, but never the password. */
class PostgresBackendTest {

    private static final String PASSWORD = "hunter2-must-not-leak";

    private static void assertRefused(String url, String user, String... words) {
        assertThatThrownBy(() -> Database.openPostgres(url, user, SecretText.of(PASSWORD))
                        .close())
                .isInstanceOf(UnusableDatabaseException.class)
                .hasMessageContainingAll(words)
                .satisfies(refused -> {
                    StringWriter text = new StringWriter();
                    refused.printStackTrace(new PrintWriter(text, true));
                    assertThat(text.toString()).doesNotContain(PASSWORD);
                });
    }

    @Test
    void refusesUnreachablePort() throws Exception {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        assertRefused(
                "jdbc:postgresql://localhost:%d/x".formatted(port), "u", "localhost:" + port + "/x", "cannot connect");
    }

    @Test
    void refusesMissingDatabase() {
        PostgresTestDatabase.create().close();
        assertRefused(
                PostgresTestDatabase.url("missing"),
                PostgresTestDatabase.USER,
                "missing",
                "does not exist",
                "create it");
    }

    @Test
    void refusesWrongPassword() throws Exception {
        try (PostgresTestDatabase database = PostgresTestDatabase.create()) {
            try (var login = PostgresTestDatabase.requirePasswords(database.name())) {
                assertThat(login).isNotNull();
                assertRefused(
                        PostgresTestDatabase.url(database.name()),
                        "unknown_user",
                        "unknown_user",
                        "check user and password");
            }
        }
    }

    @Test
    void refusesMissingPassword() throws Exception {
        try (PostgresTestDatabase database = PostgresTestDatabase.create()) {
            try (var login = PostgresTestDatabase.requirePasswords(database.name())) {
                assertThat(login).isNotNull();
                assertThatThrownBy(() -> Database.openPostgres(
                                        PostgresTestDatabase.url(database.name()),
                                        PostgresTestDatabase.USER,
                                        SecretText.of(""))
                                .close())
                        .isInstanceOf(UnusableDatabaseException.class)
                        .hasMessageContainingAll("asks for a password", "set database-password")
                        .hasMessageNotContaining("max_connections");
            }
        }
    }

    @Test
    void refusesUserWithoutCreatePrivilege() throws Exception {
        try (PostgresTestDatabase database = PostgresTestDatabase.createBlank()) {
            database.execute("DROP ROLE IF EXISTS guest");
            database.execute("CREATE ROLE guest LOGIN");
            assertRefused(
                    PostgresTestDatabase.url(database.name()),
                    "guest",
                    "guest",
                    "may not create tables",
                    "grant CREATE");
        }
    }

    @Test
    void refusesSchemaOfNewerProgram() throws Exception {
        try (PostgresTestDatabase database = PostgresTestDatabase.create()) {
            database.open();
            database.execute(
                    "INSERT INTO escapement_schema_history SELECT 99, '99', description, type, script, checksum,"
                            + " installed_by, installed_on, execution_time, success FROM escapement_schema_history LIMIT 1");
            assertRefused(
                    PostgresTestDatabase.url(database.name()),
                    PostgresTestDatabase.USER,
                    "version 99",
                    "newer version");
        }
    }

    @Test
    void refusesOtherEncodingThanUtf8() throws Exception {
        try (PostgresTestDatabase database = PostgresTestDatabase.create()) {
            database.execute("CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0");
            assertRefused(PostgresTestDatabase.url("latin"), PostgresTestDatabase.USER, "LATIN1", "UTF8");
            database.execute("DROP DATABASE latin");
        }
    }

    @Test
    void refusesInvalidUrl() {
        assertRefused("mysql://localhost/x", "u", "jdbc:postgresql");
        assertRefused("jdbc:postgresql://localhost:port/x?password=" + PASSWORD, "u", "malformed");
        assertRefused("jdbc:postgresql://u:" + PASSWORD + "@localhost/x", "u", "user and password separately");
    }

    @Test
    void neverPrintsPassword() {
        assertThat(SecretText.of(PASSWORD).toString()).doesNotContain(PASSWORD);
        try (PostgresTestDatabase database = PostgresTestDatabase.create()) {
            Database opened = database.open();
            assertThat(opened.toString()).contains(database.name()).doesNotContain(PostgresTestDatabase.PASSWORD);
            opened.close();
            assertThatThrownBy(opened::ping)
                    .isInstanceOf(StorageException.class)
                    .hasMessageNotContaining(PostgresTestDatabase.PASSWORD);
        }
    }
}
