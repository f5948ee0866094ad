package dev.escapement.storage.postgresql;

import dev.escapement.storage.problem.UnusableDatabaseException;
import org.postgresql.ds.PGSimpleDataSource;

/** Where the database is, and how to get in. Only the place is ever printed. */
final class PostgresAddress {

    private static final int CONNECT_TIMEOUT_SECONDS = 10;
    private static final int SOCKET_TIMEOUT_SECONDS = 60;
    private static final String URL_FORMAT_HINT = "write jdbc:postgresql://host:port/database";

    private final PGSimpleDataSource dataSource;
    private final String location;

    private PostgresAddress(PGSimpleDataSource source) {
        this.dataSource = source;
        this.location = "PostgreSQL at %s:%d/%s"
                .formatted(source.getServerNames()[0], source.getPortNumbers()[0], source.getDatabaseName());
    }

    /** @param user empty if the URL has it */
    static PostgresAddress parse(String url, String user, String password) {
        if (!url.startsWith("jdbc:postgresql:")) {
            throw new UnusableDatabaseException(
                    "the database URL does not begin with jdbc:postgresql: " + URL_FORMAT_HINT);
        }
        // The driver would take a password in front of the host for a port, and log it.
        if (url.split("\\?", 2)[0].contains("@")) {
            throw new UnusableDatabaseException(
                    "the database URL has a user in front of the host: give user and password apart, and "
                            + URL_FORMAT_HINT);
        }
        PGSimpleDataSource source = new PGSimpleDataSource();
        try {
            source.setUrl(url);
        } catch (IllegalArgumentException refused) {
            // Without its cause: that has the whole URL in it, perhaps with a password.
            throw new UnusableDatabaseException("the database URL cannot be understood: " + URL_FORMAT_HINT);
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

    PGSimpleDataSource dataSource() {
        return dataSource;
    }

    String user() {
        return String.valueOf(dataSource.getUser());
    }

    @Override
    public String toString() {
        return location;
    }
}
