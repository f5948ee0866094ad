package dev.escapement.storage;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.Target;
import dev.escapement.storage.jdbc.Backend;
import dev.escapement.storage.jdbc.SqlFunction;
import dev.escapement.storage.jdbc.SqlSession;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/** Lists what servers have to process: executions that are not finished, and targets whose holder was deleted. */
record UnfinishedExecutions(Backend backend) {

    private static final int BATCH_SIZE = 200;

    static final String LIST_NOT_FINAL_SQL = listSql("executions WHERE owner = ? AND NOT is_final");
    private static final String LIST_FINAL_HOLDING_TARGET_SQL =
            listSql("ledger JOIN executions ON uid = holder WHERE holder <> '' AND owner = ? AND is_final");

    private static String listSql(String from) {
        return "SELECT " + ExecutionRows.COLUMNS + " FROM " + from + " AND uid > ? ORDER BY uid LIMIT " + BATCH_SIZE;
    }

    /** A row of a list; one that cannot be read is skipped, but not the rows after it. */
    private record UnfinishedRow(String uid, Optional<Versioned<Execution>> execution) {

        static UnfinishedRow read(ResultSet columns) throws SQLException {
            return new UnfinishedRow(columns.getString(3), ExecutionRows.tryRead(columns));
        }
    }

    /** As {@link ServerRegistry#forEachUnfinished}, for the server with this id. */
    void forEachExecution(String serverId, Consumer<Versioned<Execution>> callback) {
        for (String sql : List.of(LIST_NOT_FINAL_SQL, LIST_FINAL_HOLDING_TARGET_SQL)) {
            forEachRow(
                    () -> "list the unfinished executions of server " + serverId,
                    after -> session -> session.list(sql, UnfinishedRow::read, serverId, after),
                    UnfinishedRow::uid,
                    row -> row.execution().ifPresent(callback));
        }
    }

    /** As {@link ServerRegistry#forEachOrphanedTarget}. */
    void forEachOrphanedTarget(Consumer<Target> callback) {
        String sql = "SELECT target FROM ledger WHERE holder <> '' AND target > ?"
                + " AND NOT EXISTS (SELECT 1 FROM executions WHERE uid = holder) ORDER BY target LIMIT " + BATCH_SIZE;
        SqlFunction<ResultSet, Target> row = columns -> Target.parse(columns.getString(1));
        forEachRow(
                () -> "list targets without a holder",
                after -> session -> session.list(sql, row, after),
                Target::canonical,
                callback);
    }

    /** @param query lists the first rows after a key */
    private <T> void forEachRow(
            Supplier<String> what,
            Function<String, SqlFunction<SqlSession, List<T>>> query,
            Function<T, String> key,
            Consumer<T> callback) {
        List<T> batch = backend.read(what, query.apply(""));
        while (!batch.isEmpty()) {
            batch.forEach(callback);
            batch = backend.read(what, query.apply(key.apply(batch.get(batch.size() - 1))));
        }
    }
}
