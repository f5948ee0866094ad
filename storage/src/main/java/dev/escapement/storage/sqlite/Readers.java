package dev.escapement.storage.sqlite;

import dev.escapement.storage.jdbc.Counters;
import dev.escapement.storage.jdbc.Session;
import dev.escapement.storage.jdbc.Work;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/** A few connections that look while somebody writes. Whoever finds none idle waits for one. */
final class Readers {

    private static final int MOST = 4;

    private record Reader(Connection connection, Session session) {}

    private final BlockingQueue<Reader> idle = new ArrayBlockingQueue<>(MOST);

    Readers(SqliteFile file, Counters counters) throws SQLException {
        for (int i = 0; i < MOST; i++) {
            Connection connection = file.reader();
            idle.add(new Reader(connection, new Session(new KeptStatements(connection), counters)));
        }
    }

    <T> T read(Work<T> work) throws SQLException {
        Reader reader = take();
        try {
            return work.on(reader.session());
        } finally {
            idle.add(reader);
        }
    }

    /** Waits for those that are at work. Whoever comes later gets a closed connection, and an error from it. */
    void close() throws SQLException {
        List<Reader> all = new ArrayList<>();
        for (int i = 0; i < MOST; i++) {
            all.add(take());
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
    private Reader take() {
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
