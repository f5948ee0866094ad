package dev.escapement.storage;

import static dev.escapement.engine.contract.ExecutionSamples.execution;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.port.Journal;
import dev.escapement.engine.port.StoreWrite;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A server hears of what others write, also after its connection broke and when a record could not be read at once. */
class ListenerTest {

    private static final String LISTENERS =
            "FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'escapement-listener'";

    private final RealPostgres world = RealPostgres.fresh();
    private final Database writer = world.open();
    private final Database reader = world.open();
    private final Semaphore calls = new Semaphore(0);
    private final Journal.Subscription subscription = reader.journal().onAppend(calls::release);

    @AfterEach
    void close() {
        subscription.close();
        world.close();
    }

    private void create(int number) {
        assertThat(writer.store().apply(List.of(new StoreWrite.Creation(execution(number)))))
                .isTrue();
    }

    /** Waits for calls until that many records can be read. */
    private void hears(int records) throws InterruptedException {
        while (reader.journal().read(Journal.START, 100).size() < records) {
            assertThat(calls.tryAcquire(60, TimeUnit.SECONDS)).as("a call").isTrue();
        }
        assertThat(reader.journal().read(Journal.START, 100)).hasSize(records);
    }

    @Test
    void anotherServersRecordIsHeardOf() throws Exception {
        create(1);
        hears(1);
        create(2);
        hears(2);
    }

    @Test
    void aRecordThatCouldNotBeReadAtFirstIsHeardOfWhenItCan() throws Exception {
        create(1);
        hears(1);
        try (Connection older = world.raw();
                Statement statement = older.createStatement()) {
            older.setAutoCommit(false);
            statement.execute("SELECT pg_current_xact_id()");
            create(2);
            assertThat(calls.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
            assertThat(reader.journal().read(Journal.START, 10)).hasSize(1);
            calls.drainPermits();
            // It writes nothing and tells nobody.
            older.rollback();
        }
        hears(2);
    }

    @Test
    void aBrokenConnectionIsMadeAgainAndWhatCameMeanwhileIsHeardOf() throws Exception {
        create(1);
        hears(1);
        // The first record may have been read before the listener was there.
        while (world.column("SELECT pg_terminate_backend(pid) " + LISTENERS).isEmpty()) {
            Thread.onSpinWait();
        }
        create(2);
        hears(2);
        create(3);
        hears(3);
    }

    @Test
    void whoNoLongerWantsToHearIsNotCalled() throws Exception {
        create(1);
        hears(1);
        subscription.close();
        Semaphore others = new Semaphore(0);
        try (Journal.Subscription second = reader.journal().onAppend(others::release)) {
            assertThat(second).isNotNull();
            create(2);
            assertThat(others.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
            // A call that was under way when the subscription ended is over by now.
            calls.drainPermits();
            create(3);
            assertThat(others.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
            assertThat(calls.availablePermits()).isZero();
        }
    }

    @Test
    void aSubscriberThatThrowsHarmsNobody() throws Exception {
        try (Journal.Subscription rude = writer.journal().onAppend(() -> {
            throw new IllegalStateException("this subscriber is rude on purpose");
        })) {
            assertThat(rude).isNotNull();
            create(1);
            hears(1);
        }
    }
}
