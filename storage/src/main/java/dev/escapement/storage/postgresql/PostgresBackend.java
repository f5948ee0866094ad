package dev.escapement.storage.postgresql;

import dev.escapement.engine.port.Journal;
import dev.escapement.storage.jdbc.Backend;
import dev.escapement.storage.jdbc.Backend.ChangeTopic;
import dev.escapement.storage.jdbc.Dialect;
import dev.escapement.storage.jdbc.JournalTable;
import dev.escapement.storage.jdbc.SchemaMigrations;
import dev.escapement.storage.jdbc.SqlFunction;
import dev.escapement.storage.jdbc.SqlSession;
import dev.escapement.storage.problem.StorageException.CommitOutcomeUnknownException;
import dev.escapement.storage.problem.StorageException.UnusableDatabaseException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.function.Supplier;
import org.postgresql.PGConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@link Backend} on a PostgreSQL database that several servers may share. */
public final class PostgresBackend extends Backend {

    private static final Logger LOG = LoggerFactory.getLogger(PostgresBackend.class);

    private static final int MIN_VERSION = 13;

    /** An arbitrary number that no other program is likely to use. */
    private static final long MIGRATION_LOCK_ID = 0x45534341504d454eL;

    private static final String SERVER_FACTS_SQL =
            "SELECT current_setting('server_version_num')::int / 10000, current_setting('server_encoding'),"
                    + " pg_is_in_recovery(), current_setting('synchronous_commit')";

    private static final String READ_ONLY_SQL = "SELECT 1 WHERE current_setting('transaction_read_only') = 'on'";
    private static final int LEASE_CONNECT_TIMEOUT_SECONDS = 3;
    private static final int LEASE_SOCKET_TIMEOUT_SECONDS = 5;

    private static final String MAY_CREATE_TABLES_SQL =
            "SELECT coalesce(has_schema_privilege(current_schema(), 'CREATE'), false)";

    private static final Dialect DIALECT = new Dialect(
            "nextval('row_version')",
            "nextval('row_version')",
            "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)",
            "CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint)",
            " FOR UPDATE",
            " FOR UPDATE SKIP LOCKED",
            "GREATEST",
            columns -> "json_to_recordset(CAST(? AS json)) AS batch(" + String.join(", ", columns) + ")");

    private final PostgresAddress address;
    private final PostgresConnectionPools pools;
    private final PostgresJournal journal;
    private final PostgresNotifier notifier;
    private final Object listenerLock = new Object();
    private Optional<PostgresNotificationListener> listener = Optional.empty();

    private PostgresBackend(PostgresAddress address, PostgresConnectionPools pools, int epoch) {
        super(address.toString(), DIALECT, new PostgresErrorClassifier());
        this.address = address;
        this.pools = pools;
        this.notifier = new PostgresNotifier(pools);
        this.journal = new PostgresJournal(epoch, notifier::awaitSent);
    }

    /**
     * Opens an existing database.
     *
     * @param user empty if the URL contains it
     * @param password empty if the URL contains it or none is needed
     * @throws UnusableDatabaseException if it cannot be used; the message has the location, the cause and what to do
     */
    public static Backend open(String url, String user, String password) {
        PostgresAddress address = PostgresAddress.parse(url, user, password);
        try {
            boolean durable = checkServer(address);
            migrate(address);
            int epoch;
            try (Connection connection = address.dataSource().getConnection()) {
                epoch = PostgresJournal.currentEpoch(connection);
            }
            PostgresAddress leaseAddress = PostgresAddress.parse(url, user, password)
                    .withTimeouts(LEASE_CONNECT_TIMEOUT_SECONDS, LEASE_SOCKET_TIMEOUT_SECONDS);
            return new PostgresBackend(address, PostgresConnectionPools.open(address, leaseAddress, durable), epoch);
        } catch (SQLException failed) {
            throw new UnusableDatabaseException(
                    "cannot use %s: %s (%s)".formatted(address, advice(address, failed), failed.getMessage()), failed);
        }
    }

    /** The properties of a PostgreSQL server that matter. */
    private record ServerFacts(int version, String encoding, boolean standby, String synchronousCommit) {}

    /** Checks the requirements; returns whether commits are durable by default. */
    private static boolean checkServer(PostgresAddress address) throws SQLException {
        ServerFacts facts = address.query(
                SERVER_FACTS_SQL,
                row -> new ServerFacts(row.getInt(1), row.getString(2), row.getBoolean(3), row.getString(4)));
        require(
                facts.version() >= MIN_VERSION,
                address,
                "its version is %d, but at least %d is required: upgrade it".formatted(facts.version(), MIN_VERSION));
        require(
                facts.encoding().equals("UTF8"),
                address,
                "its encoding is %s: create a database with encoding UTF8".formatted(facts.encoding()));
        require(!facts.standby(), address, "it is a standby: use the address of the primary");
        return !facts.synchronousCommit().equals("off");
    }

    /** Migrates under a lock, so that servers that start together do it one after the other. */
    private static void migrate(PostgresAddress address) throws SQLException {
        try (Connection connection = address.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("SELECT pg_advisory_lock(" + MIGRATION_LOCK_ID + ")");
            if (SchemaMigrations.arePending(address.toString(), address.dataSource())) {
                // Without this check, Flyway fails only after ten seconds of retries.
                require(
                        address.query(MAY_CREATE_TABLES_SQL, row -> row.getBoolean(1)),
                        address,
                        "user " + address.user() + " may not create tables: grant CREATE on the schema, or make it the"
                                + " owner of the database");
                SchemaMigrations.apply("postgresql", address.toString(), address.dataSource());
            }
        }
    }

    private static void require(boolean holds, PostgresAddress address, String rule) {
        if (!holds) {
            throw new UnusableDatabaseException("cannot use " + address + ": " + rule);
        }
    }

    private static String advice(PostgresAddress address, SQLException failed) {
        String state = PostgresErrorClassifier.sqlState(failed);
        if (state.equals("08004") && !address.hasPassword()) {
            // The driver reports a missing password as a rejected connection, without asking the server.
            return "it asks for a password, but none is set: set database-password or database-password-file";
        }
        if (state.startsWith("28")) {
            return "user %s may not log in: check user and password".formatted(address.user());
        }
        return switch (state) {
            case "3D000" -> "the database does not exist: create it, or choose another";
            case "42501" -> "user %s lacks a privilege: make it the owner of the tables".formatted(address.user());
            case "08001" -> "cannot connect: check host and port, and that PostgreSQL is running";
            case "08004", "53300" -> "it accepts no more connections: close some, or raise max_connections";
            case "57P03" -> "it is starting or stopping: try again in a moment";
            default -> "check the database";
        };
    }

    /** Does not read from a standby, which may be behind: after a failover a connection may lead to one. */
    @Override
    protected <T> T tryRead(SqlFunction<SqlSession, T> body) throws SQLException {
        Connection connection = pools.readerPool().getConnection();
        return withSession(connection, session -> {
            // The driver keeps what the server reported, so this takes no query. PostgreSQL 13 does not report it.
            if ("on".equals(connection.unwrap(PGConnection.class).getParameterStatus("in_hot_standby"))) {
                throw PostgresErrorClassifier.readOnly();
            }
            return body.apply(session);
        });
    }

    @Override
    protected <T> Optional<T> tryWrite(Supplier<String> what, SqlFunction<SqlSession, Optional<T>> body)
            throws SQLException {
        return runTransaction(pools.writerPool().getConnection(), what, body);
    }

    @Override
    protected <T> Optional<T> tryWriteLease(Supplier<String> what, SqlFunction<SqlSession, Optional<T>> body)
            throws SQLException {
        return runTransaction(pools.leasePool().getConnection(), what, body);
    }

    @Override
    protected void requireWritable(SqlSession session) throws SQLException {
        if (session.exists(READ_ONLY_SQL)) {
            throw PostgresErrorClassifier.readOnly();
        }
    }

    private <T> Optional<T> runTransaction(
            Connection connection, Supplier<String> what, SqlFunction<SqlSession, Optional<T>> body)
            throws SQLException {
        return withSession(connection, session -> runTransaction(what, connection, session, body));
    }

    /** Not try-with-resources: an error while returning the connection must not hide a commit, nor repeat it. */
    private <T> T withSession(Connection connection, SqlFunction<SqlSession, T> body) throws SQLException {
        try {
            return body.apply(PostgresConnectionPools.session(connection, counters));
        } catch (SQLException failed) {
            pools.evictIfUnusable(failed);
            throw failed;
        } finally {
            SqlSession.closeQuietly(connection);
        }
    }

    private <T> Optional<T> runTransaction(
            Supplier<String> what, Connection connection, SqlSession session, SqlFunction<SqlSession, Optional<T>> body)
            throws SQLException {
        Optional<T> result;
        try {
            result = body.apply(session);
        } catch (SQLException | RuntimeException failed) {
            rollbackQuietly(connection);
            throw failed;
        }
        if (result.isPresent()) {
            commit(what, connection);
        } else {
            connection.rollback();
        }
        return result;
    }

    private void commit(Supplier<String> what, Connection connection) throws SQLException {
        try {
            connection.commit();
            counters.countWrite();
        } catch (SQLException failed) {
            if (errorClassifier.isCommitRejected(failed)) {
                throw failed;
            }
            throw new CommitOutcomeUnknownException(
                    "commit to %s failed (%s) and may have been made: %s; read again to find out"
                            .formatted(address, failed.getMessage(), what.get()),
                    failed);
        }
    }

    /** If the rollback fails, the connection is broken and PostgreSQL rolls back by itself. */
    private static void rollbackQuietly(Connection connection) {
        try {
            connection.rollback();
        } catch (SQLException broken) {
            LOG.debug("Rollback failed: the connection is broken", broken);
        }
    }

    @Override
    public JournalTable journal() {
        return journal;
    }

    @Override
    public void publish(ChangeTopic topic) {
        super.publish(topic);
        notifier.enqueue(topic);
    }

    @Override
    public Journal.Subscription subscribe(ChangeTopic topic, Runnable callback) {
        Journal.Subscription subscription = super.subscribe(topic, callback);
        synchronized (listenerLock) {
            if (listener.isEmpty()) {
                listener = Optional.of(new PostgresNotificationListener(address, journal, subscribers));
            }
        }
        return subscription;
    }

    @Override
    public void close() {
        super.close();
        synchronized (listenerLock) {
            listener.ifPresent(PostgresNotificationListener::close);
        }
        notifier.close();
        pools.close();
    }
}
