package dev.escapement.crashtests.kit;

import dev.escapement.testkit.FreePorts;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;

/** A real PostgreSQL server that is as durable as in production. */
public final class DurablePostgres implements AutoCloseable {

    private static final String USER = "postgres";

    private final EmbeddedPostgres server;
    private int databases;

    /** Starts the server and waits until it accepts connections, at most a minute. */
    public DurablePostgres() throws IOException {
        server = EmbeddedPostgres.builder()
                .setPGStartupWait(Duration.ofMinutes(1))
                .setPort(FreePorts.allocateOne())
                // The library turns these off.
                .setServerConfig("fsync", "on")
                .setServerConfig("full_page_writes", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("max_connections", "200")
                .start();
    }

    /** Creates a database and returns its JDBC URL with user and password. */
    public String createDatabase() throws SQLException {
        String name = "bench_" + ++databases;
        try (Connection connection = DriverManager.getConnection(url("postgres"));
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + name);
        }
        return url(name);
    }

    private String url(String database) {
        return "jdbc:postgresql://127.0.0.1:%d/%s?user=%s&password=%s"
                .formatted(server.getPort(), database, USER, USER);
    }

    /** Returns the environment that makes a server use the database with this URL. */
    public static Map<String, String> serverEnvironment(String url) {
        return Map.of(
                "ESCAPEMENT_DATABASE", url.substring(0, url.indexOf('?')),
                "ESCAPEMENT_DATABASE_USER", USER,
                "ESCAPEMENT_DATABASE_PASSWORD", USER);
    }

    /** Returns how many transactions were committed in a database since it was created. */
    public static long commitCount(String url) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()")) {
            row.next();
            return row.getLong(1);
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
