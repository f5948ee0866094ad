package dev.escapement.storage.postgresql;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.escapement.storage.jdbc.Statements;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Connections for those who write and, apart from them, for those who look: a long list must not hold up a lock. */
final class Pools {

    private static final Logger LOG = LoggerFactory.getLogger(Pools.class);

    private static final int WRITERS = 8;
    private static final int READERS = 4;
    private static final Duration WAIT = Duration.ofSeconds(10);

    /** No transaction of ours takes seconds; one that hangs would hold up the readers of the journal. */
    private static final String LIMITS =
            "SET statement_timeout = '30s'; SET lock_timeout = '10s'; SET idle_in_transaction_session_timeout = '60s'";

    private final HikariDataSource writers;
    private final HikariDataSource readers;

    Pools(PostgresAddress address, boolean commitsAreDurable) {
        String setUp = commitsAreDurable ? LIMITS : LIMITS + "; SET synchronous_commit = on";
        this.writers = pool("escapement-writers", WRITERS, address, setUp, false);
        this.readers = pool("escapement-readers", READERS, address, setUp, true);
    }

    private static HikariDataSource pool(
            String name, int most, PostgresAddress address, String setUp, boolean autoCommit) {
        HikariConfig config = new HikariConfig();
        config.setPoolName(name);
        config.setDataSource(address.source());
        config.setMaximumPoolSize(most);
        config.setMinimumIdle(1);
        config.setAutoCommit(autoCommit);
        config.setConnectionInitSql(setUp);
        config.setConnectionTimeout(WAIT.toMillis());
        config.setInitializationFailTimeout(-1);
        return new HikariDataSource(config);
    }

    Connection writer() throws SQLException {
        return writers.getConnection();
    }

    Connection reader() throws SQLException {
        return readers.getConnection();
    }

    /** Where one connection broke the others may be broken as well: the next try gets a new one. */
    void doubt(SQLException failed) {
        if (PostgresProblems.isConnection(PostgresProblems.state(failed))) {
            writers.getHikariPoolMXBean().softEvictConnections();
            readers.getHikariPoolMXBean().softEvictConnections();
        }
    }

    /** The driver keeps statements itself. */
    static Statements statements(Connection connection) {
        return new Statements() {
            @Override
            public PreparedStatement take(String sql) throws SQLException {
                return connection.prepareStatement(sql);
            }

            @Override
            public void giveBack(String sql, PreparedStatement statement) throws SQLException {
                statement.close();
            }

            @Override
            public void drop(String sql, PreparedStatement statement) {
                quietly(statement);
            }
        };
    }

    /** Whatever was done is done, whether or not this works. */
    static void quietly(AutoCloseable closeable) {
        try {
            closeable.close();
        } catch (Exception broken) {
            LOG.debug("could not be closed; it was broken already", broken);
        }
    }

    void close() {
        writers.close();
        readers.close();
    }
}
