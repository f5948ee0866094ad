package dev.escapement.storage.postgresql;

import dev.escapement.backoff.Backoff;
import dev.escapement.storage.jdbc.Counters;
import dev.escapement.storage.jdbc.Session;
import dev.escapement.storage.jdbc.Subscribers;
import dev.escapement.storage.jdbc.Topic;
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
final class Listener implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Listener.class);

    private static final Duration NOW_AND_THEN = Duration.ofSeconds(5);
    private static final Duration LAST_WORDS = Duration.ofSeconds(2);
    private static final Backoff SOON = Backoff.builder()
            .base(Duration.ofMillis(2))
            .max(Duration.ofSeconds(1))
            .build();
    private static final Backoff RECONNECT = Backoff.builder()
            .base(Duration.ofMillis(100))
            .max(Duration.ofSeconds(10))
            .build();

    private final PostgresAddress address;
    private final PostgresJournal journal;
    private final Map<Topic, Subscribers> subscribers;
    private final Counters uncounted = new Counters();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final AtomicReference<Connection> current = new AtomicReference<>();
    private final Thread thread = new Thread(this::run, "escapement-listener");

    Listener(PostgresAddress address, PostgresJournal journal, Map<Topic, Subscribers> subscribers) {
        this.address = address;
        this.journal = journal;
        this.subscribers = subscribers;
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        for (int failures = 1; !isClosed(Duration.ZERO); failures++) {
            try (Connection connection = address.source().getConnection()) {
                current.set(connection);
                journal.enter(Era.current(connection));
                try (Statement statement = connection.createStatement()) {
                    statement.execute("SET application_name = 'escapement-listener'");
                    for (Topic topic : Topic.values()) {
                        statement.execute("LISTEN " + Notifier.channel(topic));
                    }
                }
                failures = 0;
                listen(connection);
            } catch (SQLException | RuntimeException broken) {
                // Nothing is lost: whoever subscribed is called again once the connection is back.
                if (!isClosed(RECONNECT.delay(failures + 1))) {
                    LOG.warn("{}: the connection that hears of news broke: {}", address, broken.getMessage());
                }
            }
        }
    }

    private void listen(Connection connection) throws SQLException {
        PGConnection notifications = connection.unwrap(PGConnection.class);
        Session session = new Session(Pools.statements(connection), uncounted);
        PostgresJournal.Look before = journal.look(session);
        // What came while nobody listened. After the look: what came since then is found as a difference to it.
        subscribers.values().forEach(Subscribers::call);
        for (int looks = 1; !isClosed(Duration.ZERO); looks++) {
            Duration wait = before.more() ? SOON.delay(looks) : NOW_AND_THEN;
            Set<Topic> news = Notifier.topics(notifications.getNotifications((int) Math.max(1, wait.toMillis())));
            if (news.contains(Topic.ENDPOINTS)) {
                Subscribers.of(subscribers, Topic.ENDPOINTS).call();
            }
            boolean told = news.contains(Topic.JOURNAL);
            PostgresJournal.Look now = journal.look(session);
            if (told || !now.end().equals(before.end())) {
                Subscribers.of(subscribers, Topic.JOURNAL).call();
            }
            if (!now.more() || told) {
                looks = 0;
            }
            before = now;
        }
    }

    private boolean isClosed(Duration wait) {
        try {
            return closed.await(wait.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            return true;
        }
    }

    @Override
    public void close() {
        closed.countDown();
        Connection connection = current.get();
        try {
            if (connection != null) {
                // It may be waiting for a notification: closing the socket ends that.
                connection.abort(Runnable::run);
            }
            thread.join(LAST_WORDS.toMillis());
        } catch (SQLException broken) {
            LOG.debug("the connection was broken already", broken);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
