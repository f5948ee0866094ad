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

/** A few connections that look while somebody writes. Whoever finds none idle waits for one. */
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

    <T> T read(TransactionBody<T> work) throws SQLException {
        Reader reader = acquire();
        try {
            return work.execute(reader.session());
        } finally {
            idle.add(reader);
        }
    }

    /** Waits for those that are at work. Whoever comes later gets a closed connection, and an error from it. */
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

    /** A reader is busy for milliseconds, so an interruption can wait as long. */
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
