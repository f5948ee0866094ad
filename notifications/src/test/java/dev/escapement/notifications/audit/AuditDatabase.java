package dev.escapement.notifications.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.contract.ExecutionSamples;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.port.Journal;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.notifications.audit.AuditAppender.Result;
import dev.escapement.storage.Database;
import dev.escapement.storage.DatabaseKind;
import dev.escapement.storage.TestDatabase;
import java.util.List;
import java.util.Optional;

/** A real database with an audit trail, for all tests of a class: to create one takes longer than a test. */
final class AuditDatabase implements AutoCloseable {

    final TestDatabase raw;
    final Database database;
    final AuditAppender appender;
    final AuditTrail trail;
    final CheckpointStore checkpoints;
    final TrailVerifier verifier;

    AuditDatabase(DatabaseKind kind) {
        raw = kind.create();
        database = raw.open();
        appender = new AuditAppender(database);
        trail = new AuditTrail(database.backend());
        checkpoints = new CheckpointStore(database.backend());
        verifier = new TrailVerifier(trail, checkpoints);
    }

    void clear() {
        String none = ChainEntry.FIRST_PREVIOUS_HASH;
        database.backend().write(() -> "remove the rows of the test before", session -> {
            for (String table : List.of("audit", "audit_checkpoints", "journal", "executions")) {
                session.update("DELETE FROM " + table);
            }
            session.update(
                    "UPDATE audit_head SET sequence = 0, hash = ?, journal_position = ?, anchor_sequence = 0,"
                            + " anchor_hash = ?",
                    none,
                    Journal.START,
                    none);
            return Optional.of(true);
        });
    }

    void create(int first, int last) {
        for (int number = first; number <= last; number++) {
            Execution execution = ExecutionSamples.execution("ops", number, "repair", "node/n-" + number % 3)
                    .createdBy(number % 2 == 0 ? "anna" : "endpoint/shop");
            assertThat(database.store().apply(List.of(new StoreWrite.Creation(execution))))
                    .isTrue();
        }
    }

    void createAndCopy(int count) {
        create(1, count);
        assertThat(appender.appendNext()).isEqualTo(Result.COMPLETE);
    }

    @Override
    public void close() {
        raw.close();
    }
}
