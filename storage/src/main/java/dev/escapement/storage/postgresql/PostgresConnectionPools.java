package dev.escapement.storage.postgresql;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.escapement.storage.jdbc.SqlSession;
import dev.escapement.storage.jdbc.StatementCounters;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/** Separate connection pools for writers and readers, so that long queries do not block writes. */
record PostgresConnectionPools(HikariDataSource writerPool, HikariDataSource readerPool) {

    private static final int MAX_WRITERS = 8;
    private static final int MAX_READERS = 4;
    private static final Duration CONNECTION_TIMEOUT = Duration.ofSeconds(10);

    /** Our transactions take milliseconds; one that hangs would block the readers of the journal. */
    private static final String SESSION_TIMEOUTS_SQL =
            "SET statement_timeout = '30s'; SET lock_timeout = '10s'; SET idle_in_transaction_session_timeout = '60s'";

    static PostgresConnectionPools open(PostgresAddress address, boolean commitsAreDurable) {
        String initSql =
                commitsAreDurable ? SESSION_TIMEOUTS_SQL : SESSION_TIMEOUTS_SQL + "; SET synchronous_commit = on";
        return new PostgresConnectionPools(
                createPool("escapement-writers", MAX_WRITERS, address, initSql, false),
                createPool("escapement-readers", MAX_READERS, address, initSql, true));
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

    /** Evicts all connections if this one broke: the others may be broken too, and the retry needs a new one. */
    void evictIfConnectionFailed(SQLException failed) {
        if (PostgresErrorClassifier.isConnectionFailure(PostgresErrorClassifier.sqlState(failed))) {
            writerPool.getHikariPoolMXBean().softEvictConnections();
            readerPool.getHikariPoolMXBean().softEvictConnections();
        }
    }

    /** Creates a session without a cache: the driver caches prepared statements itself. */
    static SqlSession session(Connection connection, StatementCounters counters) {
        return new SqlSession(connection, counters, 0);
    }

    void close() {
        writerPool.close();
        readerPool.close();
    }
}
