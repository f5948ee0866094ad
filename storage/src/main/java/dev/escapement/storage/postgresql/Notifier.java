package dev.escapement.storage.postgresql;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the other servers that there are new records: after the commit and once for as many as came meanwhile. Inside
 * the transactions it would make all commits wait for each other, because PostgreSQL puts notifications in one line.
 * One that is lost with a crash is made up for by the listeners' own looks.
 */
final class Notifier implements AutoCloseable {

    static final String CHANNEL = "escapement_journal";

    private static final Logger LOG = LoggerFactory.getLogger(Notifier.class);

    private static final Duration LAST_WORDS = Duration.ofSeconds(2);

    /** Sending takes a fraction of a millisecond, unless the database is in trouble: then readers are as well. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final Pools pools;
    private final Semaphore news = new Semaphore(0);
    private final Thread thread = new Thread(this::run, "escapement-notifier");
    private volatile boolean closed;
    private boolean sending;

    Notifier(Pools pools) {
        this.pools = pools;
        thread.setDaemon(true);
        thread.start();
    }

    void tell() {
        if (news.availablePermits() == 0) {
            news.release();
        }
    }

    private void run() {
        while (!closed) {
            news.acquireUninterruptibly();
            news.drainPermits();
            send();
        }
    }

    private void send() {
        try (Connection connection = pools.reader();
                Statement statement = connection.createStatement()) {
            underWay(true);
            statement.execute("NOTIFY " + CHANNEL);
        } catch (SQLException failed) {
            LOG.debug("other servers could not be told of new records; they will look for themselves", failed);
        } finally {
            underWay(false);
        }
    }

    private synchronized void underWay(boolean now) {
        sending = now;
        notifyAll();
    }

    /**
     * A notification is a transaction too, and newer records cannot be read while it is under way. Whoever reads waits
     * for that moment, so that a server finds at once what it has written itself.
     */
    synchronized void awaitSent() {
        long end = System.nanoTime() + PATIENCE.toNanos();
        try {
            for (long left = PATIENCE.toMillis(); sending && left > 0; left = (end - System.nanoTime()) / 1_000_000) {
                wait(left);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Tells the last news first. */
    @Override
    public void close() {
        closed = true;
        news.release();
        try {
            thread.join(LAST_WORDS.toMillis());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
