package dev.escapement.storage.postgresql;

import dev.escapement.storage.jdbc.SqlFunction;
import dev.escapement.storage.jdbc.StatementCounters;
import dev.escapement.storage.problem.StorageException.UnusableDatabaseException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.postgresql.ds.PGSimpleDataSource;

/** Location and credentials of a database. Only the location is ever printed. */
record PostgresAddress(PGSimpleDataSource dataSource) {

    private static final int CONNECT_TIMEOUT_SECONDS = 10;
    private static final int SOCKET_TIMEOUT_SECONDS = 60;
    private static final String URL_FORMAT_HINT = "write jdbc:postgresql://host:port/database";

    /**
     * Parses a JDBC URL.
     *
     * @param user empty if the URL contains it
     * @throws UnusableDatabaseException if the URL is invalid; the message never contains it
     */
    static PostgresAddress parse(String url, String user, String password) {
        if (!url.startsWith("jdbc:postgresql:")) {
            throw new UnusableDatabaseException(
                    "the database URL does not start with jdbc:postgresql: " + URL_FORMAT_HINT);
        }
        // The driver would parse a password before the host as a port, and log it.
        if (url.split("\\?", 2)[0].contains("@")) {
            throw new UnusableDatabaseException(
                    "the database URL has a user before the host: set user and password separately, and "
                            + URL_FORMAT_HINT);
        }
        PGSimpleDataSource source = new PGSimpleDataSource();
        try {
            source.setUrl(url);
        } catch (IllegalArgumentException malformed) {
            // Without the cause: its message contains the whole URL, perhaps with a password.
            throw new UnusableDatabaseException("the database URL is malformed: " + URL_FORMAT_HINT);
        }
        if (!user.isEmpty()) {
            source.setUser(user);
        }
        if (!password.isEmpty()) {
            source.setPassword(password);
        }
        source.setApplicationName("escapement");
        source.setTcpKeepAlive(true);
        if (source.getConnectTimeout() == 0 || !url.contains("connectTimeout")) {
            source.setConnectTimeout(CONNECT_TIMEOUT_SECONDS);
        }
        if (source.getSocketTimeout() == 0) {
            source.setSocketTimeout(SOCKET_TIMEOUT_SECONDS);
        }
        return new PostgresAddress(source);
    }

    /** Limits how long a connection attempt and a statement may take, and returns this. */
    PostgresAddress withTimeouts(int connectSeconds, int socketSeconds) {
        dataSource.setConnectTimeout(Math.min(connectSeconds, dataSource.getConnectTimeout()));
        dataSource.setSocketTimeout(Math.min(socketSeconds, dataSource.getSocketTimeout()));
        return this;
    }

    boolean hasPassword() {
        return dataSource.getPassword() != null && !dataSource.getPassword().isEmpty();
    }

    /** Executes a query with one row on a connection of its own. */
    <T> T query(String sql, SqlFunction<ResultSet, T> row) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            return PostgresConnectionPools.session(connection, new StatementCounters())
                    .first(sql, row)
                    .orElseThrow();
        }
    }

    String user() {
        return String.valueOf(dataSource.getUser());
    }

    @Override
    public String toString() {
        return "PostgreSQL at %s:%d/%s"
                .formatted(
                        dataSource.getServerNames()[0], dataSource.getPortNumbers()[0], dataSource.getDatabaseName());
    }
}
