package dev.escapement.storage.sqlite;

import dev.escapement.storage.jdbc.Statements;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps the statements of one connection: the driver parses anew what is not kept. They are as few as our texts. */
final class KeptStatements implements Statements {

    private static final Logger LOG = LoggerFactory.getLogger(KeptStatements.class);

    /** More than we have; a bound for the bound's sake. */
    private static final int MOST = 200;

    private final Connection connection;
    private final Map<String, PreparedStatement> kept = new HashMap<>();

    KeptStatements(Connection connection) {
        this.connection = connection;
    }

    @Override
    public PreparedStatement take(String sql) throws SQLException {
        PreparedStatement found = kept.remove(sql);
        return found == null ? connection.prepareStatement(sql) : found;
    }

    @Override
    public void giveBack(String sql, PreparedStatement statement) throws SQLException {
        statement.clearParameters();
        if (kept.size() >= MOST || kept.putIfAbsent(sql, statement) != null) {
            statement.close();
        }
    }

    @Override
    public void drop(String sql, PreparedStatement statement) {
        try {
            statement.close();
        } catch (SQLException failed) {
            LOG.debug("a statement that had failed could not be closed", failed);
        }
    }
}
