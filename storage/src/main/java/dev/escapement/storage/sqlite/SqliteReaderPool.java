package dev.escapement.storage.sqlite;

import dev.escapement.storage.jdbc.SqlSession;
import dev.escapement.storage.jdbc.StatementCounters;
import dev.escapement.storage.jdbc.TransactionBody;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/** A fixed pool of read-only connections. Callers wait while all of them are in use. */
final class SqliteReaderPool {

    private static final int POOL_SIZE = 4;

    private record Reader(Connection connection, SqlSession session) {}

    private final BlockingQueue<Reader> idle = new ArrayBlockingQueue<>(POOL_SIZE);

    SqliteReaderPool(SqliteFile file, StatementCounters counters) throws SQLException {
        for (int i = 0; i < POOL_SIZE; i++) {
            Connection connection = file.openReader();
            idle.add(new Reader(connection, new SqlSession(new StatementCache(connection), counters)));
        }
    }

    <T> T read(TransactionBody<T> body) throws SQLException {
        Reader reader = acquire();
        try {
            return body.execute(reader.session());
        } finally {
            idle.add(reader);
        }
    }

    /** Closes the connections when they are idle. Later reads fail with the error of a closed connection. */
    void close() throws SQLException {
        List<Reader> all = new ArrayList<>();
        for (int i = 0; i < POOL_SIZE; i++) {
            all.add(acquire());
        }
        try {
            for (Reader reader : all) {
                reader.connection().close();
            }
        } finally {
            idle.addAll(all);
        }
    }

    /** Ignores interrupts while waiting: a reader is in use only for milliseconds. */
    private Reader acquire() {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return idle.take();
                } catch (InterruptedException later) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
