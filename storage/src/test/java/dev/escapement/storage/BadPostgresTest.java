package dev.escapement.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.storage.problem.DatabaseRefused;
import dev.escapement.storage.problem.StorageProblem;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

/** Databases that cannot be used: each says which, why and what to do, and never the password. */
class BadPostgresTest {

    private static final String PASSWORD = "hunter2-must-not-leak";

    private static void refused(String url, String user, String... words) {
        assertThatThrownBy(
                        () -> Database.postgres(url, user, Secret.of(PASSWORD)).close())
                .isInstanceOf(DatabaseRefused.class)
                .hasMessageContainingAll(words)
                .satisfies(refused -> {
                    StringWriter text = new StringWriter();
                    refused.printStackTrace(new PrintWriter(text, true));
                    assertThat(text.toString()).doesNotContain(PASSWORD);
                });
    }

    @Test
    void aPortWhereNobodyAnswers() throws Exception {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        refused("jdbc:postgresql://localhost:%d/x".formatted(port), "u", "localhost:" + port + "/x", "nobody answers");
    }

    @Test
    void aDatabaseThatDoesNotExist() {
        RealPostgres.fresh().close();
        refused(RealPostgres.url("missing"), RealPostgres.USER, "missing", "no such database", "create it");
    }

    @Test
    void aWrongPassword() throws Exception {
        try (RealPostgres world = RealPostgres.fresh()) {
            try (var login = RealPostgres.withPasswords(world.name())) {
                assertThat(login).isNotNull();
                refused(RealPostgres.url(world.name()), "nobody_knows", "nobody_knows", "check user and password");
            }
        }
    }

    @Test
    void aUserWhoMayNotMakeTables() throws Exception {
        try (RealPostgres world = RealPostgres.fresh()) {
            world.execute("DROP ROLE IF EXISTS guest");
            world.execute("CREATE ROLE guest LOGIN");
            refused(RealPostgres.url(world.name()), "guest", "guest", "may not make tables", "grant CREATE");
        }
    }

    @Test
    void aDatabaseOfANewerProgram() throws Exception {
        try (RealPostgres world = RealPostgres.fresh()) {
            world.open();
            world.execute("INSERT INTO escapement_schema_history SELECT 99, '99', description, type, script, checksum,"
                    + " installed_by, installed_on, execution_time, success FROM escapement_schema_history LIMIT 1");
            refused(RealPostgres.url(world.name()), RealPostgres.USER, "version 99", "newer program");
        }
    }

    @Test
    void aDatabaseWithAnotherEncoding() throws Exception {
        try (RealPostgres world = RealPostgres.fresh()) {
            world.execute("CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0");
            refused(RealPostgres.url("latin"), RealPostgres.USER, "LATIN1", "UTF8");
            world.execute("DROP DATABASE latin");
        }
    }

    @Test
    void anAddressThatIsNone() {
        refused("mysql://localhost/x", "u", "jdbc:postgresql");
        refused("jdbc:postgresql://localhost:port/x?password=" + PASSWORD, "u", "cannot be understood");
        refused("jdbc:postgresql://u:" + PASSWORD + "@localhost/x", "u", "user and password apart");
    }

    @Test
    void noPasswordIsPrinted() {
        assertThat(Secret.of(PASSWORD).toString()).doesNotContain(PASSWORD);
        try (RealPostgres world = RealPostgres.fresh()) {
            Database database = world.open();
            assertThat(database.toString()).contains(world.name()).doesNotContain(RealPostgres.PASSWORD);
            database.close();
            assertThatThrownBy(database::ping)
                    .isInstanceOf(StorageProblem.class)
                    .hasMessageNotContaining(RealPostgres.PASSWORD);
        }
    }
}
