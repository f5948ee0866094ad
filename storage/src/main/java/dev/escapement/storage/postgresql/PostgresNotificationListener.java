package dev.escapement.storage.postgresql;

import dev.escapement.backoff.Backoff;
import dev.escapement.storage.jdbc.ChangeTopic;
import dev.escapement.storage.jdbc.SqlSession;
import dev.escapement.storage.jdbc.StatementCounters;
import dev.escapement.storage.jdbc.TopicSubscribers;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.postgresql.PGConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hears of news on a connection of its own, and calls the subscribers. For records it also looks by itself: soon, while
 * there are records that cannot be read yet; now and then, in case a notification was lost; and after a reconnection.
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
    private final Map<ChangeTopic, TopicSubscribers> subscribers;
    private final StatementCounters unreportedCounters = new StatementCounters();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final AtomicReference<Connection> currentConnection = new AtomicReference<>();
    private final Thread thread = new Thread(this::run, "escapement-listener");

    PostgresNotificationListener(
            PostgresAddress address, PostgresJournal journal, Map<ChangeTopic, TopicSubscribers> subscribers) {
        this.address = address;
        this.journal = journal;
        this.subscribers = subscribers;
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        for (int failures = 1; !isClosedWithin(Duration.ZERO); failures++) {
            try (Connection connection = address.dataSource().getConnection()) {
                currentConnection.set(connection);
                journal.setEpoch(JournalEpoch.current(connection));
                try (Statement statement = connection.createStatement()) {
                    statement.execute("SET application_name = 'escapement-listener'");
                    for (ChangeTopic topic : ChangeTopic.values()) {
                        statement.execute("LISTEN " + PostgresNotifier.channel(topic));
                    }
                }
                failures = 0;
                listen(connection);
            } catch (SQLException | RuntimeException broken) {
                // Nothing is lost: whoever subscribed is called again once the connection is back.
                if (!isClosedWithin(RECONNECT_BACKOFF.delay(failures + 1))) {
                    LOG.warn("{}: the connection that hears of news broke: {}", address, broken.getMessage());
                }
            }
        }
    }

    private void listen(Connection connection) throws SQLException {
        PGConnection notifications = connection.unwrap(PGConnection.class);
        SqlSession session = new SqlSession(PostgresConnectionPools.statementSource(connection), unreportedCounters);
        PostgresJournal.ReadableEnd before = journal.findReadableEnd(session);
        // What came while nobody listened. After the look: what came since then is found as a difference to it.
        subscribers.values().forEach(TopicSubscribers::notifySubscribers);
        for (int looks = 1; !isClosedWithin(Duration.ZERO); looks++) {
            Duration wait = before.hasUnreadable() ? UNREADABLE_POLL_BACKOFF.delay(looks) : POLL_INTERVAL;
            Set<ChangeTopic> news =
                    PostgresNotifier.topicsOf(notifications.getNotifications((int) Math.max(1, wait.toMillis())));
            if (news.contains(ChangeTopic.ENDPOINTS)) {
                TopicSubscribers.forTopic(subscribers, ChangeTopic.ENDPOINTS).notifySubscribers();
            }
            boolean told = news.contains(ChangeTopic.JOURNAL);
            PostgresJournal.ReadableEnd now = journal.findReadableEnd(session);
            if (told || !now.end().equals(before.end())) {
                TopicSubscribers.forTopic(subscribers, ChangeTopic.JOURNAL).notifySubscribers();
            }
            if (!now.hasUnreadable() || told) {
                looks = 0;
            }
            before = now;
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
                // It may be waiting for a notification: closing the socket ends that.
                connection.abort(Runnable::run);
            }
            thread.join(SHUTDOWN_TIMEOUT.toMillis());
        } catch (SQLException broken) {
            LOG.debug("the connection was broken already", broken);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
