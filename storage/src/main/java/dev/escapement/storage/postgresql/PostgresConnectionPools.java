package dev.escapement.storage.postgresql;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.escapement.storage.jdbc.SqlSession;
import dev.escapement.storage.jdbc.StatementCounters;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * Separate connection pools for writers and readers, so that long queries do not block writes, and for the lease of
 * this server, so that writes that wait for a lock do not make it lose the lease.
 */
record PostgresConnectionPools(HikariDataSource writerPool, HikariDataSource readerPool, HikariDataSource leasePool) {

    static final int MAX_WRITERS = 10;
    private static final int MAX_READERS = 4;
    private static final Duration CONNECTION_TIMEOUT = Duration.ofSeconds(10);

    /** One for the renewals, one for the readiness check. */
    private static final int MAX_LEASE_CONNECTIONS = 2;

    private static final Duration LEASE_CONNECTION_TIMEOUT = Duration.ofSeconds(3);

    /** Our transactions take milliseconds; one that hangs would block the readers of the journal. */
    private static final String SESSION_TIMEOUTS_SQL =
            "SET statement_timeout = '30s'; SET lock_timeout = '10s'; SET idle_in_transaction_session_timeout = '60s'";

    /** A lease lasts seconds: a renewal that waits longer is better repeated. */
    private static final String LEASE_TIMEOUTS_SQL =
            "SET statement_timeout = '3s'; SET lock_timeout = '2s'; SET idle_in_transaction_session_timeout = '10s'";

    /** @param leaseAddress with short timeouts */
    static PostgresConnectionPools open(
            PostgresAddress address, PostgresAddress leaseAddress, boolean commitsAreDurable) {
        String durability = commitsAreDurable ? "" : "; SET synchronous_commit = on";
        String initSql = SESSION_TIMEOUTS_SQL + durability;
        HikariDataSource leasePool = createPool(
                "escapement-lease", MAX_LEASE_CONNECTIONS, leaseAddress, LEASE_TIMEOUTS_SQL + durability, false);
        leasePool.setConnectionTimeout(LEASE_CONNECTION_TIMEOUT.toMillis());
        return new PostgresConnectionPools(
                createPool("escapement-writers", MAX_WRITERS, address, initSql, false),
                createPool("escapement-readers", MAX_READERS, address, initSql, true),
                leasePool);
    }

    private static HikariDataSource createPool(
            String name, int maxSize, PostgresAddress address, String initSql, boolean autoCommit) {
        HikariConfig config = new HikariConfig();
        config.setPoolName(name);
        config.setDataSource(address.dataSource());
        config.setMaximumPoolSize(maxSize);
        config.setMinimumIdle(1);
        config.setAutoCommit(autoCommit);
        config.setConnectionInitSql(initSql);
        config.setConnectionTimeout(CONNECTION_TIMEOUT.toMillis());
        config.setInitializationFailTimeout(-1);
        return new HikariDataSource(config);
    }

    /** Evicts all connections if this one is unusable: the others may be too, and the retry needs a new one. */
    void evictIfUnusable(SQLException failed) {
        if (PostgresErrorClassifier.isConnectionUnusable(PostgresErrorClassifier.sqlState(failed))) {
            for (HikariDataSource pool : List.of(writerPool, readerPool, leasePool)) {
                pool.getHikariPoolMXBean().softEvictConnections();
            }
        }
    }

    /** Creates a session without a cache: the driver caches prepared statements itself. */
    static SqlSession session(Connection connection, StatementCounters counters) {
        return new SqlSession(connection, counters, 0);
    }

    void close() {
        writerPool.close();
        readerPool.close();
        leasePool.close();
    }
}
