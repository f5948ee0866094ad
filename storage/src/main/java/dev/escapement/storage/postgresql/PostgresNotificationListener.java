package dev.escapement.storage.postgresql;

import dev.escapement.backoff.Backoff;
import dev.escapement.common.NamedThreadFactory;
import dev.escapement.storage.jdbc.Backend.ChangeTopic;
import dev.escapement.storage.jdbc.Backend.TopicSubscribers;
import dev.escapement.storage.jdbc.SqlSession;
import dev.escapement.storage.jdbc.StatementCounters;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.postgresql.PGConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens for notifications on a connection of its own and calls the subscribers. Also polls the journal: with a short
 * backoff while there are unreadable records, every {@link #POLL_INTERVAL} in case a notification was lost, and after
 * each reconnect.
 */
final class PostgresNotificationListener implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(PostgresNotificationListener.class);

    private static final Duration POLL_INTERVAL = Duration.ofSeconds(5);
    private static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(2);
    private static final Backoff UNREADABLE_POLL_BACKOFF = Backoff.builder()
            .base(Duration.ofMillis(2))
            .max(Duration.ofSeconds(1))
            .build();
    private static final Backoff RECONNECT_BACKOFF = Backoff.builder()
            .base(Duration.ofMillis(100))
            .max(Duration.ofSeconds(10))
            .build();

    private final PostgresAddress address;
    private final PostgresJournal journal;
    private final TopicSubscribers subscribers;
    private final StatementCounters unreportedCounters = new StatementCounters();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final AtomicReference<Connection> currentConnection = new AtomicReference<>();
    private final Thread thread = NamedThreadFactory.daemonThread("escapement-listener", this::run);

    PostgresNotificationListener(PostgresAddress address, PostgresJournal journal, TopicSubscribers subscribers) {
        this.address = address;
        this.journal = journal;
        this.subscribers = subscribers;
        thread.start();
    }

    private void run() {
        for (int failures = 1; !isClosedWithin(Duration.ZERO); failures++) {
            try (Connection connection = address.dataSource().getConnection()) {
                currentConnection.set(connection);
                journal.setEpoch(PostgresJournal.currentEpoch(connection));
                try (Statement statement = connection.createStatement()) {
                    statement.execute("SET application_name = 'escapement-listener'");
                    for (ChangeTopic topic : ChangeTopic.values()) {
                        statement.execute("LISTEN " + PostgresNotifier.channel(topic));
                    }
                }
                failures = 0;
                listen(connection);
            } catch (SQLException | RuntimeException broken) {
                // Nothing is lost: all subscribers are called after the reconnect.
                if (!isClosedWithin(RECONNECT_BACKOFF.delay(failures + 1))) {
                    LOG.warn("Notification connection to {} broke; reconnecting: {}", address, broken.getMessage());
                }
            }
        }
    }

    private void listen(Connection connection) throws SQLException {
        PGConnection notifications = connection.unwrap(PGConnection.class);
        SqlSession session = PostgresConnectionPools.session(connection, unreportedCounters);
        PostgresJournal.ReadableEnd previous = journal.findReadableEnd(session);
        // Covers the time without a connection. After the query: later records change the end and are found below.
        for (ChangeTopic topic : ChangeTopic.values()) {
            subscribers.notifySubscribers(topic);
        }
        for (int polls = 1; !isClosedWithin(Duration.ZERO); polls++) {
            Duration wait = previous.hasUnreadable() ? UNREADABLE_POLL_BACKOFF.delay(polls) : POLL_INTERVAL;
            Set<ChangeTopic> topics =
                    PostgresNotifier.topicsOf(notifications.getNotifications((int) Math.max(1, wait.toMillis())));
            if (topics.contains(ChangeTopic.ENDPOINTS)) {
                subscribers.notifySubscribers(ChangeTopic.ENDPOINTS);
            }
            boolean notified = topics.contains(ChangeTopic.JOURNAL);
            PostgresJournal.ReadableEnd current = journal.findReadableEnd(session);
            if (notified || !current.end().equals(previous.end())) {
                subscribers.notifySubscribers(ChangeTopic.JOURNAL);
            }
            if (!current.hasUnreadable() || notified) {
                polls = 0;
            }
            previous = current;
        }
    }

    private boolean isClosedWithin(Duration wait) {
        try {
            return closed.await(wait.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            return true;
        }
    }

    @Override
    public void close() {
        closed.countDown();
        Connection connection = currentConnection.get();
        try {
            if (connection != null) {
                // The thread may be waiting for a notification; closing the socket ends the wait.
                connection.abort(Runnable::run);
            }
            thread.join(SHUTDOWN_TIMEOUT.toMillis());
        } catch (SQLException broken) {
            LOG.debug("Connection was broken already", broken);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
