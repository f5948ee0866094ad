package dev.escapement.storage;

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
 * One real PostgreSQL for all tests of this JVM. Where it cannot start its tests are skipped, loudly; in CI they fail.
 */
public final class RealPostgres extends TestDatabase {

    static final String USER = "postgres";
    static final String PASSWORD = "correct-horse-battery-staple";

    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final Optional<EmbeddedPostgres> SERVER = start();

    private final String name;

    private RealPostgres(String name) {
        this.name = name;
    }

    private static Optional<EmbeddedPostgres> start() {
        try {
            return Optional.of(EmbeddedPostgres.builder()
                    .setPGStartupWait(Duration.ofMinutes(1))
                    .setPGStartupWait(Duration.ofSeconds(60))
                    // Its transactions would now and then keep a record from being read at once.
                    .setServerConfig("autovacuum", "off")
                    .setServerConfig("max_connections", "200")
                    .start());
        } catch (IOException | RuntimeException failed) {
            if ("true".equals(System.getenv("CI"))) {
                throw new AssertionError("PostgreSQL must start in CI", failed);
            }
            System.err.println("SKIPPED: no test runs on PostgreSQL, because it does not start here: " + failed);
            return Optional.empty();
        }
    }

    public static RealPostgres fresh() {
        Assumptions.assumeTrue(SERVER.isPresent(), "PostgreSQL does not start here");
        String name = "test_" + NUMBER.incrementAndGet();
        RealPostgres database = new RealPostgres(name);
        try (Connection connection = DriverManager.getConnection(url("postgres"), USER, "");
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + name);
        } catch (SQLException failed) {
            throw new AssertionError(failed);
        }
        return database;
    }

    static int port() {
        return SERVER.orElseThrow().getPort();
    }

    static String url(String database) {
        return "jdbc:postgresql://localhost:%d/%s".formatted(port(), database);
    }

    /** From now on and until this is closed, whoever wants into that database needs a password. */
    static AutoCloseable withPasswords(String database) throws SQLException, IOException {
        Path rules = Path.of(administer("SHOW hba_file"));
        String before = Files.readString(rules);
        load(rules, "host " + database + " all all scram-sha-256\n" + before);
        return () -> load(rules, before);
    }

    /** Returns when the rules are in force: whoever connects afterwards sees when they were loaded. */
    private static void load(Path rules, String text) throws SQLException, IOException {
        Files.writeString(rules, text);
        String before = administer("SELECT pg_conf_load_time()");
        administer("SELECT pg_reload_conf()");
        while (administer("SELECT pg_conf_load_time()").equals(before)) {
            Thread.onSpinWait();
        }
    }

    private static String administer(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url("postgres"), USER, "");
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }

    String name() {
        return name;
    }

    @Override
    Database connect() {
        return Database.postgres(url(name), USER, Secret.of(PASSWORD));
    }

    @Override
    public String numbers(int many) {
        return "generate_series(1, %d) AS s(n)".formatted(many);
    }

    @Override
    String explain() {
        return "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) ";
    }

    @Override
    int explanation() {
        return 1;
    }

    @Override
    public Connection raw() throws SQLException {
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
