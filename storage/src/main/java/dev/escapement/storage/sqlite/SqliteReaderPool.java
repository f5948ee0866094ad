package dev.escapement.storage.sqlite;

import dev.escapement.storage.jdbc.SqlFunction;
import dev.escapement.storage.jdbc.SqlSession;
import dev.escapement.storage.jdbc.StatementCounters;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;

/** A fixed pool of read-only connections. Callers wait while all of them are in use, at most for milliseconds. */
final class SqliteReaderPool {

    private static final int POOL_SIZE = 4;

    private record Reader(Connection connection, SqlSession session) {}

    private final Semaphore idleCount = new Semaphore(POOL_SIZE);
    private final Queue<Reader> idle = new ConcurrentLinkedQueue<>();

    SqliteReaderPool(SqliteFile file, StatementCounters counters) throws SQLException {
        for (int i = 0; i < POOL_SIZE; i++) {
            Connection connection = file.openReader();
            idle.add(new Reader(connection, new SqlSession(connection, counters, SqliteFile.MAX_CACHED_STATEMENTS)));
        }
    }

    <T> T read(SqlFunction<SqlSession, T> body) throws SQLException {
        idleCount.acquireUninterruptibly();
        Reader reader = idle.remove();
        try {
            return body.apply(reader.session());
        } finally {
            idle.add(reader);
            idleCount.release();
        }
    }

    /** Closes the connections when they are idle. Later reads fail with the error of a closed connection. */
    void close() throws SQLException {
        for (int i = 0; i < POOL_SIZE; i++) {
            idleCount.acquireUninterruptibly();
        }
        try {
            for (Reader reader : idle) {
                reader.connection().close();
            }
        } finally {
            idleCount.release(POOL_SIZE);
        }
    }
}
