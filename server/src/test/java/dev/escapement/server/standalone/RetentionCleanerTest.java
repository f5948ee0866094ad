package dev.escapement.server.standalone;

import static dev.escapement.engine.contract.ExecutionSamples.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.engine.contract.ExecutionSamples;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.journal.TransitionDetail;
import dev.escapement.engine.journal.TransitionType;
import dev.escapement.engine.port.ExecutionQueries.ExecutionFilter;
import dev.escapement.engine.port.Journal;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.engine.port.Versioned;
import dev.escapement.engine.request.Retention;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.storage.Database;
import dev.escapement.storage.DatabaseKind;
import dev.escapement.storage.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Finished executions are removed after their retention, and nothing else changes. */
@ParameterizedClass
@EnumSource(DatabaseKind.class)
class RetentionCleanerTest {

    private static final Duration PERIOD = Duration.ofDays(30);

    private final TestDatabase testDatabase;
    private final Database database;
    private final List<String> removedRuns = new ArrayList<>();
    private Instant now = NOW;

    RetentionCleanerTest(DatabaseKind kind) {
        testDatabase = kind.create();
        database = testDatabase.open();
    }

    @AfterEach
    void close() {
        testDatabase.close();
    }

    private RetentionCleaner cleaner(Database of) {
        return new RetentionCleaner(
                of,
                of.store(),
                ref -> removedRuns.add(ref.name()),
                new Retention(PERIOD),
                () -> List.of(of.journal().endPosition()),
                () -> now);
    }

    private Execution create(int number) {
        Execution execution = ExecutionSamples.execution("ops", number, "repair", "node/n-" + number);
        assertThat(database.store().apply(List.of(new StoreWrite.Creation(execution))))
                .isTrue();
        return execution;
    }

    private void complete(Execution execution) {
        Versioned<Execution> seen = ExecutionSamples.readExecution(database.store(), execution);
        StoreWrite end = new StoreWrite.StatusUpdate(seen, ExecutionSamples.completedStatus(execution));
        assertThat(database.store().apply(List.of(end))).isTrue();
    }

    private void block(Execution execution) {
        Target target = Target.parse(execution.spec().targetResource());
        Versioned<LedgerEntry> free = database.store().readEntry(target);
        assertThat(database.store()
                        .apply(List.of(
                                new StoreWrite.EntryUpdate(free, ExecutionSamples.blockedEntry(execution), NOW))))
                .isTrue();
    }

    private List<String> names() {
        ExecutionFilter all =
                new ExecutionFilter(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
        return database.queries().listExecutions(all, "", 1_000).items().stream()
                .map(seen -> seen.value().ref().name())
                .toList();
    }

    private List<Transition> transitions() {
        return database.journal().read(Journal.START, 1_000).stream()
                .map(Journal.Entry::transition)
                .toList();
    }

    @Test
    void removesWhatFinishedBeforeAndIsNotNeeded() {
        complete(create(1));
        create(2);
        Execution blocking = create(3);
        complete(blocking);
        block(blocking);
        cleaner(database).removeExpired();
        assertThat(names()).hasSize(3);

        now = NOW.plus(PERIOD).plus(Duration.ofHours(1));
        LedgerEntry before =
                database.store().readEntry(Target.parse("node/n-3")).value();
        cleaner(database).removeExpired();

        assertThat(names()).describedAs("unfinished, and blocking").containsExactlyInAnyOrder("e2", "e3");
        assertThat(database.store().readEntry(Target.parse("node/n-3")).value()).isEqualTo(before);
        assertThat(removedRuns).containsExactly("e1");
    }

    /** A document or ledger entry that cannot be read does not stop the removal of others. */
    @Test
    void removesAllOthersWhenOneCannotBeRead() throws Exception {
        for (int number = 1; number <= 3; number++) {
            complete(create(number));
        }
        Execution blocking = create(4);
        complete(blocking);
        block(blocking);
        testDatabase.execute("UPDATE executions SET document = '{damaged' WHERE name = 'e2'");
        testDatabase.execute("UPDATE ledger SET document = '{damaged' WHERE target = 'node/n-4'");
        now = NOW.plus(PERIOD).plus(Duration.ofHours(1));
        cleaner(database).removeExpired();

        assertThat(removedRuns).containsExactly("e1", "e3");
        assertThat(names()).describedAs("may still block its target").containsExactly("e4");
    }

    @Test
    void recordsThatNoPersonDeletedIt() {
        complete(create(1));
        now = NOW.plus(PERIOD).plus(Duration.ofHours(1));
        cleaner(database).removeExpired();

        assertThat(transitions())
                .describedAs("older records are removed")
                .singleElement()
                .satisfies(removal -> {
                    assertThat(removal.type()).isEqualTo(TransitionType.ExecutionDeleted);
                    assertThat(removal.reason()).isEqualTo(Transition.RETENTION_EXPIRED);
                    assertThat(removal.detail(TransitionDetail.ACTOR)).isEmpty();
                });
    }

    /** A position that was read before stays valid: reading goes on with what is left. */
    @Test
    void positionsOfRemovedRecordsStayValid() {
        complete(create(1));
        String position = database.journal().read(Journal.START, 1).get(0).position();
        now = NOW.plus(PERIOD).plus(Duration.ofHours(1));
        cleaner(database).removeExpired();
        complete(create(2));

        assertThat(database.journal().read(position, 1_000))
                .extracting(entry -> entry.transition().type())
                .startsWith(TransitionType.ExecutionDeleted, TransitionType.WorkflowAccepted);
        assertThat(database.journal().read(database.journal().endPosition(), 10))
                .isEmpty();
    }

    @Test
    void removesManyInBatchesAndEachOnce() {
        for (int i = 0; i < 450; i++) {
            complete(create(i));
        }
        now = NOW.plus(PERIOD).plus(Duration.ofHours(1));
        cleaner(database).removeExpired();
        cleaner(database).removeExpired();
        assertThat(names()).isEmpty();
        assertThat(removedRuns).hasSize(450).doesNotHaveDuplicates();
    }

    @Test
    void removesRecordsEvenIfExecutionsCannotBeRemoved() {
        complete(create(1));
        now = NOW.plus(PERIOD).plus(Duration.ofHours(1));
        RetentionCleaner cleaner = new RetentionCleaner(
                database,
                database.store(),
                ref -> {
                    throw new IllegalStateException("the disk is read-only");
                },
                new Retention(PERIOD),
                () -> List.of(database.journal().endPosition()),
                () -> now);
        assertThatThrownBy(cleaner::removeExpired).hasMessage("the disk is read-only");
        assertThat(transitions())
                .extracting(Transition::type)
                .describedAs("only the new record is left")
                .containsExactly(TransitionType.ExecutionDeleted);
    }

    /** Another server has removed it meanwhile. */
    @Test
    void removalThatLosesTheRaceChangesNothing() {
        Execution execution = create(1);
        complete(execution);
        Versioned<Execution> seen = ExecutionSamples.readExecution(database.store(), execution);
        assertThat(database.store().apply(List.of(new StoreWrite.Expiry(seen, NOW))))
                .isTrue();
        assertThat(database.store().apply(List.of(new StoreWrite.Expiry(seen, NOW))))
                .isFalse();
        assertThat(transitions())
                .filteredOn(each -> each.type() == TransitionType.ExecutionDeleted)
                .hasSize(1);
    }
}
