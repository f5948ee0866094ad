package dev.escapement.storage.postgresql;

import dev.escapement.backoff.Backoff;
import dev.escapement.storage.jdbc.ChangeTopic;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the other servers that there is news: after the commit and once for as much as came meanwhile. Inside the
 * transactions it would make all commits wait for each other, because PostgreSQL puts notifications in one line. What
 * cannot be told is told later; what is lost with a crash is made up for by the looks of those who listen.
 */
final class PostgresNotifier implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(PostgresNotifier.class);

    private static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(2);

    /** Sending takes a fraction of a millisecond, unless the database is in trouble: then readers are as well. */
    private static final Duration SEND_TIMEOUT = Duration.ofSeconds(1);

    private static final Backoff RETRY_BACKOFF = Backoff.builder()
            .base(Duration.ofMillis(100))
            .max(Duration.ofSeconds(5))
            .build();

    private final PostgresConnectionPools pools;
    private final Set<ChangeTopic> pendingTopics = EnumSet.noneOf(ChangeTopic.class);
    private final Thread thread = new Thread(this::run, "escapement-notifier");
    private boolean closed;
    private boolean sending;

    PostgresNotifier(PostgresConnectionPools pools) {
        this.pools = pools;
        thread.setDaemon(true);
        thread.start();
    }

    static String channel(ChangeTopic topic) {
        return "escapement_" + topic.name().toLowerCase(Locale.ROOT);
    }

    /** What these tell of. */
    static Set<ChangeTopic> topicsOf(PGNotification... notifications) {
        Set<ChangeTopic> topics = EnumSet.noneOf(ChangeTopic.class);
        for (PGNotification each : notifications) {
            for (ChangeTopic topic : ChangeTopic.values()) {
                if (channel(topic).equals(each.getName())) {
                    topics.add(topic);
                }
            }
        }
        return topics;
    }

    synchronized void enqueue(ChangeTopic topic) {
        if (pendingTopics.add(topic)) {
            notifyAll();
        }
    }

    private void run() {
        int failures = 0;
        for (Set<ChangeTopic> next = takePending(); !next.isEmpty(); next = takePending()) {
            if (send(next)) {
                failures = 0;
            } else if (requeueAndWait(next, RETRY_BACKOFF.delay(++failures))) {
                return;
            }
        }
    }

    /** Waits for news; none if this is closed and everything was told. */
    private synchronized Set<ChangeTopic> takePending() {
        try {
            while (pendingTopics.isEmpty() && !closed) {
                wait();
            }
        } catch (InterruptedException interrupted) {
            return Set.of();
        }
        Set<ChangeTopic> taken = Set.copyOf(pendingTopics);
        pendingTopics.clear();
        return taken;
    }

    private boolean send(Set<ChangeTopic> topics) {
        try (Connection connection = pools.readerConnection();
                Statement statement = connection.createStatement()) {
            setSending(true);
            for (ChangeTopic topic : topics) {
                statement.execute("NOTIFY " + channel(topic));
            }
            return true;
        } catch (SQLException failed) {
            LOG.debug("other servers could not be told of {}; they will be told later", topics, failed);
            return false;
        } finally {
            setSending(false);
        }
    }

    /** Returns whether there is no later. */
    private synchronized boolean requeueAndWait(Set<ChangeTopic> topics, Duration pause) {
        pendingTopics.addAll(topics);
        awaitWhile(() -> !closed, pause);
        return closed;
    }

    private synchronized void setSending(boolean now) {
        sending = now;
        notifyAll();
    }

    /**
     * A notification is a transaction too, and newer records cannot be read while it is under way. Whoever reads waits
     * for that moment, so that a server finds at once what it has written itself.
     */
    void awaitSent() {
        awaitWhile(() -> sending, SEND_TIMEOUT);
    }

    private synchronized void awaitWhile(java.util.function.BooleanSupplier condition, Duration most) {
        long end = System.nanoTime() + most.toNanos();
        try {
            for (long left = most.toMillis(); condition.getAsBoolean() && left > 0; ) {
                wait(left);
                left = (end - System.nanoTime()) / 1_000_000;
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Tells the last news first. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        try {
            thread.join(SHUTDOWN_TIMEOUT.toMillis());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
