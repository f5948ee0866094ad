package dev.escapement.storage.postgresql;

import dev.escapement.storage.jdbc.Backend;
import dev.escapement.storage.jdbc.SchemaMigrations;
import dev.escapement.storage.problem.UnusableDatabaseException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Opens a database, or says what is wrong with it. */
public final class PostgresBackendFactory {

    private static final int MIN_VERSION = 13;

    /** A number that nobody else is likely to lock in this database. */
    private static final long MIGRATION_LOCK_ID = 0x45534341504d454eL;

    private static final String SERVER_FACTS_SQL =
            "SELECT current_setting('server_version_num')::int / 10000, current_setting('server_encoding'),"
                    + " pg_is_in_recovery(), current_setting('synchronous_commit')";

    private PostgresBackendFactory() {}

    /**
     * Opens a database that exists.
     *
     * @param user empty if the URL has it
     * @param password empty if the URL has it, or none is needed
     * @throws UnusableDatabaseException if it cannot be used; the message has the place, what is wrong and what to do
     */
    public static Backend open(String url, String user, String password) {
        PostgresAddress address = PostgresAddress.parse(url, user, password);
        try {
            boolean durable = checkServer(address);
            migrate(address);
            int era;
            try (Connection connection = address.dataSource().getConnection()) {
                era = JournalEpoch.current(connection);
            }
            return new PostgresBackend(address, new PostgresConnectionPools(address, durable), era);
        } catch (SQLException refused) {
            throw new UnusableDatabaseException(
                    "cannot use %s: %s (%s)".formatted(address, advice(address, refused), refused.getMessage()),
                    refused);
        }
    }

    /** Whether this PostgreSQL will do; returns whether its commits are durable without being told. */
    private static boolean checkServer(PostgresAddress address) throws SQLException {
        try (Connection connection = address.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet facts = statement.executeQuery(SERVER_FACTS_SQL)) {
            facts.next();
            require(
                    facts.getInt(1) >= MIN_VERSION,
                    address,
                    "it is version %d, and %d or later is needed: upgrade it".formatted(facts.getInt(1), MIN_VERSION));
            require(
                    facts.getString(2).equals("UTF8"),
                    address,
                    "its encoding is %s: make a database with encoding UTF8".formatted(facts.getString(2)));
            require(!facts.getBoolean(3), address, "it is a standby: give the address of the primary");
            return !facts.getString(4).equals("off");
        }
    }

    /** Servers that start together do this one after the other; the lock ends with its connection. */
    private static void migrate(PostgresAddress address) throws SQLException {
        try (Connection connection = address.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("SELECT pg_advisory_lock(" + MIGRATION_LOCK_ID + ")");
            if (SchemaMigrations.arePending(address.toString(), address.dataSource())) {
                checkPrivileges(address);
                SchemaMigrations.apply("postgresql", address.toString(), address.dataSource());
            }
        }
    }

    /** The tool that makes the tables would try for ten seconds before it says so. */
    private static void checkPrivileges(PostgresAddress address) throws SQLException {
        try (Connection connection = address.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet rights = statement.executeQuery(
                        "SELECT coalesce(has_schema_privilege(current_schema(), 'CREATE'), false)")) {
            rights.next();
            require(
                    rights.getBoolean(1),
                    address,
                    "user %s may not make tables: grant CREATE on the schema, or own the database"
                            .formatted(address.user()));
        }
    }

    private static void require(boolean holds, PostgresAddress address, String rule) {
        if (!holds) {
            throw new UnusableDatabaseException("cannot use " + address + ": " + rule);
        }
    }

    private static String advice(PostgresAddress address, SQLException refused) {
        String state = PostgresErrorClassifier.sqlState(refused);
        if (state.startsWith("28")) {
            return "user %s may not log in: check user and password".formatted(address.user());
        }
        return switch (state) {
            case "3D000" -> "there is no such database: create it, or name another";
            case "42501" -> "user %s lacks a right: make it the owner of the tables".formatted(address.user());
            case "08001" -> "nobody answers there: check host and port, and that PostgreSQL is running";
            case "08004", "53300" -> "it takes no more connections: close some, or raise max_connections";
            case "57P03" -> "it is starting or stopping: try again in a moment";
            default -> "check the database";
        };
    }
}
