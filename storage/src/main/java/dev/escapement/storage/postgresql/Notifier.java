package dev.escapement.storage.postgresql;

import dev.escapement.backoff.Backoff;
import dev.escapement.storage.jdbc.Topic;
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
final class Notifier implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Notifier.class);

    private static final Duration LAST_WORDS = Duration.ofSeconds(2);

    /** Sending takes a fraction of a millisecond, unless the database is in trouble: then readers are as well. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private static final Backoff AGAIN = Backoff.builder()
            .base(Duration.ofMillis(100))
            .max(Duration.ofSeconds(5))
            .build();

    private final Pools pools;
    private final Set<Topic> news = EnumSet.noneOf(Topic.class);
    private final Thread thread = new Thread(this::run, "escapement-notifier");
    private boolean closed;
    private boolean sending;

    Notifier(Pools pools) {
        this.pools = pools;
        thread.setDaemon(true);
        thread.start();
    }

    static String channel(Topic topic) {
        return "escapement_" + topic.name().toLowerCase(Locale.ROOT);
    }

    /** What these tell of. */
    static Set<Topic> topics(PGNotification... notifications) {
        Set<Topic> topics = EnumSet.noneOf(Topic.class);
        for (PGNotification each : notifications) {
            for (Topic topic : Topic.values()) {
                if (channel(topic).equals(each.getName())) {
                    topics.add(topic);
                }
            }
        }
        return topics;
    }

    synchronized void tell(Topic topic) {
        if (news.add(topic)) {
            notifyAll();
        }
    }

    private void run() {
        int failures = 0;
        for (Set<Topic> next = take(); !next.isEmpty(); next = take()) {
            if (send(next)) {
                failures = 0;
            } else if (keepForLater(next, AGAIN.delay(++failures))) {
                return;
            }
        }
    }

    /** Waits for news; none if this is closed and everything was told. */
    private synchronized Set<Topic> take() {
        try {
            while (news.isEmpty() && !closed) {
                wait();
            }
        } catch (InterruptedException interrupted) {
            return Set.of();
        }
        Set<Topic> taken = Set.copyOf(news);
        news.clear();
        return taken;
    }

    private boolean send(Set<Topic> topics) {
        try (Connection connection = pools.reader();
                Statement statement = connection.createStatement()) {
            underWay(true);
            for (Topic topic : topics) {
                statement.execute("NOTIFY " + channel(topic));
            }
            return true;
        } catch (SQLException failed) {
            LOG.debug("other servers could not be told of {}; they will be told later", topics, failed);
            return false;
        } finally {
            underWay(false);
        }
    }

    /** Returns whether there is no later. */
    private synchronized boolean keepForLater(Set<Topic> topics, Duration pause) {
        news.addAll(topics);
        awaitWhile(() -> !closed, pause);
        return closed;
    }

    private synchronized void underWay(boolean now) {
        sending = now;
        notifyAll();
    }

    /**
     * A notification is a transaction too, and newer records cannot be read while it is under way. Whoever reads waits
     * for that moment, so that a server finds at once what it has written itself.
     */
    void awaitSent() {
        awaitWhile(() -> sending, PATIENCE);
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
            thread.join(LAST_WORDS.toMillis());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
