package dev.escapement.crashtests.kit;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/** A real server, as durable as in production; a database for everybody who asks. */
public final class DurablePostgres implements AutoCloseable {

    private final EmbeddedPostgres server;
    private int databases;

    /** Starts it. */
    public DurablePostgres() throws IOException {
        server = EmbeddedPostgres.builder()
                .setPGStartupWait(Duration.ofMinutes(1))
                // The test library turns these off.
                .setServerConfig("fsync", "on")
                .setServerConfig("full_page_writes", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("max_connections", "200")
                .start();
    }

    /** A new database, as a JDBC URL with user and password. */
    public String createDatabase() throws SQLException {
        String name = "bench_" + ++databases;
        try (Connection connection = DriverManager.getConnection(url("postgres"));
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + name);
        }
        return url(name);
    }

    private String url(String database) {
        return "jdbc:postgresql://127.0.0.1:%d/%s?user=postgres&password=postgres"
                .formatted(server.getPort(), database);
    }

    /** Where it listens. */
    public int port() {
        return server.getPort();
    }

    /** How many transactions were committed in a database since it was made. */
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
