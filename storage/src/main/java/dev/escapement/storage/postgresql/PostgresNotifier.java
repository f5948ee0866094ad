package dev.escapement.storage.postgresql;

import dev.escapement.backoff.Backoff;
import dev.escapement.common.NamedThreadFactory;
import dev.escapement.storage.jdbc.Backend.ChangeTopic;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends NOTIFY to the other servers after commits, one for all changes since the last. Inside the transactions it would
 * serialise all commits, because PostgreSQL queues notifications. Failed sends are retried; what a crash loses is found
 * by the polling of {@link PostgresNotificationListener}.
 */
final class PostgresNotifier implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(PostgresNotifier.class);

    private static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(2);

    /** Limits how long a reader waits; sending normally takes a fraction of a millisecond. */
    private static final Duration SEND_TIMEOUT = Duration.ofSeconds(1);

    private static final Backoff RETRY_BACKOFF = Backoff.builder()
            .base(Duration.ofMillis(100))
            .max(Duration.ofSeconds(5))
            .build();

    private final PostgresConnectionPools pools;
    private final Set<ChangeTopic> pendingTopics = EnumSet.noneOf(ChangeTopic.class);
    private final Thread thread = NamedThreadFactory.daemonThread("escapement-notifier", this::run);
    private boolean closed;
    private boolean sending;

    PostgresNotifier(PostgresConnectionPools pools) {
        this.pools = pools;
        thread.start();
    }

    static String channel(ChangeTopic topic) {
        return "escapement_" + topic.name().toLowerCase(Locale.ROOT);
    }

    static Set<ChangeTopic> topicsOf(PGNotification... notifications) {
        Set<String> channels =
                Stream.of(notifications).map(PGNotification::getName).collect(Collectors.toSet());
        return Stream.of(ChangeTopic.values())
                .filter(topic -> channels.contains(channel(topic)))
                .collect(Collectors.toSet());
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

    /** Waits for topics to send; returns none if this is closed and everything was sent. */
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
        try (Connection connection = pools.readerPool().getConnection();
                Statement statement = connection.createStatement()) {
            setSending(true);
            for (ChangeTopic topic : topics) {
                statement.execute("NOTIFY " + channel(topic));
            }
            return true;
        } catch (SQLException failed) {
            pools.evictIfUnusable(failed);
            LOG.debug("Notifying other servers failed, will retry: topics={}", topics, failed);
            return false;
        } finally {
            setSending(false);
        }
    }

    /** Requeues topics and waits; returns whether this was closed. */
    private synchronized boolean requeueAndWait(Set<ChangeTopic> topics, Duration delay) {
        pendingTopics.addAll(topics);
        awaitWhile(() -> !closed, delay);
        return closed;
    }

    private synchronized void setSending(boolean sending) {
        this.sending = sending;
        notifyAll();
    }

    /**
     * Waits until no notification is being sent, at most {@link #SEND_TIMEOUT}. A notification is a transaction too and
     * makes newer records unreadable; readers wait so that a server can read its own writes at once.
     */
    void awaitSent() {
        awaitWhile(() -> sending, SEND_TIMEOUT);
    }

    private synchronized void awaitWhile(BooleanSupplier condition, Duration timeout) {
        long end = System.nanoTime() + timeout.toNanos();
        try {
            for (long left = timeout.toMillis(); condition.getAsBoolean() && left > 0; ) {
                wait(left);
                left = (end - System.nanoTime()) / 1_000_000;
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Sends the pending notifications, at most for {@link #SHUTDOWN_TIMEOUT}, and stops. */
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
