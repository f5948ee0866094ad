package dev.escapement.storage;

import dev.escapement.testkit.FreePorts;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Assumptions;

/**
 * A database on a real PostgreSQL that all tests of this JVM share. If it cannot start, its tests are skipped; in CI
 * they fail.
 */
public final class PostgresTestDatabase extends TestDatabase {

    public static final String USER = "postgres";
    public static final String PASSWORD = "correct-horse-battery-staple";

    private static final AtomicInteger DATABASE_COUNTER = new AtomicInteger();
    private static final Optional<EmbeddedPostgres> SERVER = start();

    private final String name;

    private PostgresTestDatabase(String name) {
        this.name = name;
    }

    private static Optional<EmbeddedPostgres> start() {
        try {
            return Optional.of(EmbeddedPostgres.builder()
                    .setPGStartupWait(Duration.ofMinutes(1))
                    .setPort(FreePorts.allocateOne())
                    // Its transactions would sometimes make a journal record unreadable for a moment.
                    .setServerConfig("autovacuum", "off")
                    .setServerConfig("max_connections", "200")
                    .start());
        } catch (IOException | RuntimeException failed) {
            if ("true".equals(System.getenv("CI"))) {
                throw new AssertionError("PostgreSQL must start in CI", failed);
            }
            System.err.println("SKIPPED: tests on PostgreSQL, because it cannot be started: " + failed);
            return Optional.empty();
        }
    }

    /** Creates a database with an empty schema, a copy of one that was migrated once in this JVM. */
    public static PostgresTestDatabase create() {
        Assumptions.assumeTrue(SERVER.isPresent(), "PostgreSQL cannot be started");
        return create(Template.NAME);
    }

    /** Creates a database that is migrated when it is opened. */
    public static PostgresTestDatabase createBlank() {
        return create("template1");
    }

    private static final class Template {

        static final String NAME = migrate();

        private static String migrate() {
            PostgresTestDatabase database = createBlank();
            database.connect().close();
            return database.name;
        }
    }

    private static PostgresTestDatabase create(String template) {
        Assumptions.assumeTrue(SERVER.isPresent(), "PostgreSQL cannot be started");
        String name = "test_" + DATABASE_COUNTER.incrementAndGet();
        PostgresTestDatabase database = new PostgresTestDatabase(name);
        try (Connection connection = DriverManager.getConnection(url("postgres"), USER, "");
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE %s TEMPLATE %s".formatted(name, template));
        } catch (SQLException failed) {
            throw new AssertionError(failed);
        }
        return database;
    }

    static int port() {
        return SERVER.orElseThrow().getPort();
    }

    public static String url(String database) {
        return "jdbc:postgresql://localhost:%d/%s".formatted(port(), database);
    }

    /** Requires a password for that database until the result is closed. */
    public static AutoCloseable requirePasswords(String database) throws SQLException, IOException {
        Path rules = Path.of(queryAsAdmin("SHOW hba_file"));
        String before = Files.readString(rules);
        reload(rules, "host " + database + " all all scram-sha-256\n" + before);
        return () -> reload(rules, before);
    }

    /** Writes the access rules and waits until PostgreSQL has loaded them. */
    private static void reload(Path rules, String text) throws SQLException, IOException {
        Files.writeString(rules, text);
        String before = queryAsAdmin("SELECT pg_conf_load_time()");
        queryAsAdmin("SELECT pg_reload_conf()");
        while (queryAsAdmin("SELECT pg_conf_load_time()").equals(before)) {
            Thread.onSpinWait();
        }
    }

    private static String queryAsAdmin(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url("postgres"), USER, "");
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }

    public String name() {
        return name;
    }

    @Override
    public Database connect() {
        return Database.openPostgres(url(name), USER, SecretText.of(PASSWORD));
    }

    @Override
    public String numbersTable(int count) {
        return "generate_series(1, %d) AS s(n)".formatted(count);
    }

    @Override
    String explainPrefix() {
        return "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) ";
    }

    @Override
    int planColumn() {
        return 1;
    }

    @Override
    public Connection openRawConnection() throws SQLException {
        return DriverManager.getConnection(url(name), USER, "");
    }

    @Override
    public void close() {
        super.close();
        try (Connection connection = DriverManager.getConnection(url("postgres"), USER, "");
                Statement statement = connection.createStatement()) {
            statement.execute("DROP DATABASE " + name + " WITH (FORCE)");
        } catch (SQLException failed) {
            throw new AssertionError(failed);
        }
    }
}
