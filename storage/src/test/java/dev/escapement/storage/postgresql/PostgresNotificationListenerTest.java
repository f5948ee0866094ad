package dev.escapement.storage.postgresql;

import static dev.escapement.engine.contract.ExecutionSamples.execution;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.port.Journal;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.storage.Database;
import dev.escapement.storage.PostgresTestDatabase;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Notifies of records of other servers, also after a reconnect and when a record becomes readable late. */
class PostgresNotificationListenerTest {

    private static final String LISTENER_CONNECTIONS_SQL =
            "FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'escapement-listener'";

    private final PostgresTestDatabase testDatabase = PostgresTestDatabase.create();
    private final Database writer = testDatabase.open();
    private final Database reader = testDatabase.open();
    private final Semaphore calls = new Semaphore(0);
    private final Journal.Subscription subscription = reader.journal().onAppend(calls::release);

    @AfterEach
    void close() {
        subscription.close();
        testDatabase.close();
    }

    private void create(int number) {
        assertThat(writer.store().apply(List.of(new StoreWrite.Creation(execution(number)))))
                .isTrue();
    }

    /** Waits for notifications until that many records can be read. */
    private void awaitReadableRecords(int records) throws InterruptedException {
        while (reader.journal().read(Journal.START, 100).size() < records) {
            assertThat(calls.tryAcquire(60, TimeUnit.SECONDS)).as("notified").isTrue();
        }
        assertThat(reader.journal().read(Journal.START, 100)).hasSize(records);
    }

    @Test
    void notifiesOfRecordOfOtherServer() throws Exception {
        create(1);
        awaitReadableRecords(1);
        create(2);
        awaitReadableRecords(2);
    }

    @Test
    void notifiesWhenUnreadableRecordBecomesReadable() throws Exception {
        create(1);
        awaitReadableRecords(1);
        try (Connection older = testDatabase.openRawConnection();
                Statement statement = older.createStatement()) {
            older.setAutoCommit(false);
            statement.execute("SELECT pg_current_xact_id()");
            create(2);
            assertThat(calls.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
            assertThat(reader.journal().read(Journal.START, 10)).hasSize(1);
            calls.drainPermits();
            // A rollback sends no notification.
            older.rollback();
        }
        awaitReadableRecords(2);
    }

    @Test
    void notifiesOfRecordsWrittenDuringReconnect() throws Exception {
        create(1);
        awaitReadableRecords(1);
        // The first record may have been read before the listener was connected.
        while (testDatabase
                .queryColumn("SELECT pg_terminate_backend(pid) " + LISTENER_CONNECTIONS_SQL)
                .isEmpty()) {
            Thread.onSpinWait();
        }
        create(2);
        awaitReadableRecords(2);
        create(3);
        awaitReadableRecords(3);
    }

    @Test
    void doesNotCallClosedSubscription() throws Exception {
        create(1);
        awaitReadableRecords(1);
        subscription.close();
        Semaphore others = new Semaphore(0);
        try (Journal.Subscription second = reader.journal().onAppend(others::release)) {
            assertThat(second).isNotNull();
            create(2);
            assertThat(others.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
            // A call that was in progress when the subscription was closed has returned by now.
            calls.drainPermits();
            create(3);
            assertThat(others.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
            assertThat(calls.availablePermits()).isZero();
        }
    }

    @Test
    void failingSubscriberDoesNotAffectOthers() throws Exception {
        try (Journal.Subscription failing = writer.journal().onAppend(() -> {
            throw new IllegalStateException("thrown by the test");
        })) {
            assertThat(failing).isNotNull();
            create(1);
            awaitReadableRecords(1);
        }
    }
}
