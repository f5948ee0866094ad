package dev.escapement.storage.postgresql;

import static dev.escapement.engine.contract.ExecutionSamples.execution;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.port.Journal;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.storage.ConcurrentTasks;
import dev.escapement.storage.Database;
import dev.escapement.storage.PostgresTestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Although transactions overlap on PostgreSQL, no record appears before one that was read. */
class PostgresJournalOrderTest {

    private final PostgresTestDatabase testDatabase = PostgresTestDatabase.create();
    private final Database database = testDatabase.open();

    @AfterEach
    void close() {
        testDatabase.close();
    }

    private void create(int number) {
        assertThat(database.store().apply(List.of(new StoreWrite.Creation(execution(number)))))
                .isTrue();
    }

    private List<String> names(List<Journal.Entry> entries) {
        return entries.stream()
                .map(entry -> entry.transition().execution().orElseThrow().name())
                .toList();
    }

    /** Opens a transaction that has a number and a record but is not committed. */
    private Connection openTransactionWithRecord(String name) throws SQLException {
        Connection connection = testDatabase.openRawConnection();
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute("""
                    INSERT INTO journal (era, type, happened_at, execution, target, document)
                    VALUES (1, 'WorkflowAccepted', 0, 'u', 'node/a', '{"type": "WorkflowAccepted", "at": "2026-11-15T12:00:00Z",
                      "execution": {"namespace": "ops", "name": "%s", "uid": "u"}, "target": "node/a"}')
                    """.formatted(name));
        }
        return connection;
    }

    @Test
    void doesNotReadPastOpenOlderTransaction() throws Exception {
        create(1);
        String position = database.journal().endPosition();
        try (Connection older = openTransactionWithRecord("older")) {
            create(2);
            assertThat(database.journal().read(position, 10)).isEmpty();
            assertThat(database.journal().endPosition()).isEqualTo(position);
            older.commit();
        }
        assertThat(names(database.journal().read(position, 10))).containsExactly("older", "e2");
    }

    /** Also while it sends notifications of earlier writes. */
    @Test
    void serverReadsItsOwnRecordsImmediately() {
        for (int i = 0; i < 300; i++) {
            String position = database.journal().endPosition();
            create(i);
            assertThat(names(database.journal().read(position, 10))).containsExactly("e" + i);
        }
    }

    @Test
    void rolledBackOlderTransactionDoesNotBlockReaders() throws Exception {
        try (Connection older = openTransactionWithRecord("older")) {
            create(2);
            older.rollback();
        }
        assertThat(names(database.journal().read(Journal.START, 10))).containsExactly("e2");
    }

    @Test
    void readerSeesEveryRecordOnceDuringConcurrentWrites() throws Exception {
        int writers = 4;
        int each = 100;
        AtomicInteger writing = new AtomicInteger(writers);
        List<String> seen = new ArrayList<>();
        ConcurrentTasks.runAll(writers + 1, number -> {
            if (number < writers) {
                for (int i = 0; i < each; i++) {
                    create(number * each + i);
                }
                writing.decrementAndGet();
                return true;
            }
            String position = Journal.START;
            boolean last;
            do {
                last = writing.get() == 0;
                List<Journal.Entry> part = database.journal().read(position, 7);
                seen.addAll(part.stream().map(Journal.Entry::position).toList());
                if (!part.isEmpty()) {
                    position = part.get(part.size() - 1).position();
                    last = false;
                }
            } while (!last);
            return true;
        });
        List<String> all = database.journal().read(Journal.START, 10_000).stream()
                .map(Journal.Entry::position)
                .toList();
        assertThat(all).hasSize(writers * each);
        assertThat(seen).isEqualTo(all);
    }

    /** A restored dump has transaction numbers that this PostgreSQL has yet to reach. */
    @Test
    void ordersNewRecordsAfterRestoredOnes() throws Exception {
        create(1);
        create(2);
        testDatabase.execute("UPDATE journal SET xid = (xid::text::bigint + 1000000000)::text::xid8");
        assertThat(names(database.journal().read(Journal.START, 10))).isEmpty();
        database.close();

        Database restored = testDatabase.open();
        List<Journal.Entry> old = restored.journal().read(Journal.START, 10);
        assertThat(names(old)).containsExactly("e1", "e2");
        String end = restored.journal().endPosition();
        assertThat(end).isEqualTo(old.get(1).position());
        restored.store().apply(List.of(new StoreWrite.Creation(execution(3))));
        assertThat(names(restored.journal().read(end, 10))).containsExactly("e3");
        assertThat(names(testDatabase.open().journal().read(Journal.START, 10))).containsExactly("e1", "e2", "e3");
        assertThat(testDatabase.queryColumn("SELECT era FROM journal_era")).containsExactly("2");
    }
}
