package dev.escapement.storage;

import static dev.escapement.engine.contract.ExecutionSamples.NODE;
import static dev.escapement.engine.contract.ExecutionSamples.NOW;
import static dev.escapement.engine.contract.ExecutionSamples.execution;
import static dev.escapement.engine.contract.ExecutionSamples.heldEntry;
import static dev.escapement.engine.contract.ExecutionSamples.readExecution;
import static dev.escapement.engine.contract.ExecutionSamples.runningStatus;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionSpec;
import dev.escapement.engine.journal.TransitionType;
import dev.escapement.engine.port.ExecutionQueries.ExecutionFilter;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.port.Journal;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.ledger.ExecutionOutcome;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Requirements beyond the contract: concurrent writers and unusual text. */
@ParameterizedClass
@EnumSource(DatabaseKind.class)
class SqlExecutionStoreTest {

    private static final Instant LATER = NOW.plus(Duration.ofHours(1));

    private final TestDatabase testDatabase;
    private final Database database;
    private final ExecutionStore store;

    SqlExecutionStoreTest(DatabaseKind kind) {
        testDatabase = kind.create();
        database = testDatabase.open();
        store = database.store();
    }

    @AfterEach
    void close() {
        testDatabase.close();
    }

    private boolean apply(StoreWrite... writes) {
        return store.apply(List.of(writes));
    }

    @Test
    void exactlyOneOfManyConcurrentAcquisitionsSucceeds() throws Exception {
        int count = 16;
        for (int i = 0; i < count; i++) {
            apply(new StoreWrite.Creation(execution(i)));
        }
        Versioned<LedgerEntry> free = store.readEntry(NODE);
        List<Boolean> won = ConcurrentTasks.runAll(count, i -> {
            Execution mine = execution(i);
            return apply(
                    new StoreWrite.EntryUpdate(free, heldEntry(mine), NOW),
                    new StoreWrite.StatusUpdate(readExecution(store, mine), runningStatus(mine)));
        });
        assertThat(won).containsOnlyOnce(true);
        int winner = won.indexOf(true);
        assertThat(store.readEntry(NODE).value().heldBy(execution(winner).ref()))
                .isPresent();
        assertThat(testDatabase.queryColumn("SELECT uid FROM executions WHERE phase = 'Running'"))
                .containsExactly(execution(winner).ref().uid());
        assertThat(testDatabase.queryColumn("SELECT execution FROM journal WHERE type = 'PipelineRunCreated'"))
                .containsExactly(execution(winner).ref().uid());
    }

    @Test
    void exactlyOneOfManyConcurrentEntryUpdatesSucceeds() throws Exception {
        apply(new StoreWrite.EntryUpdate(store.readEntry(NODE), heldEntry(execution(0)), NOW));
        Versioned<LedgerEntry> seen = store.readEntry(NODE);
        List<Boolean> won = ConcurrentTasks.runAll(
                16,
                i -> apply(new StoreWrite.EntryUpdate(
                        seen,
                        ((Held) seen.value()).release(new ExecutionOutcome.FailedDuringExecution("by " + i), NOW),
                        NOW)));
        assertThat(won).containsOnlyOnce(true);
        assertThat(testDatabase.countRows("journal")).isEqualTo(1);
    }

    @Test
    void exactlyOneOfManyConcurrentCreationsOfOneNameSucceeds() throws Exception {
        List<Boolean> won = ConcurrentTasks.runAll(
                16,
                i -> apply(new StoreWrite.Creation(Execution.pending(
                        new ExecutionRef("ops", "same", "uid-" + i),
                        NOW,
                        execution(1).spec()))));
        assertThat(won).containsOnlyOnce(true);
        assertThat(testDatabase.countRows("executions")).isEqualTo(1);
    }

    @Test
    void writersInOppositeOrderDoNotBlockEachOther() throws Exception {
        Execution contended = execution(1);
        apply(new StoreWrite.Creation(contended));
        apply(new StoreWrite.EntryUpdate(store.readEntry(NODE), heldEntry(contended), NOW));
        List<Integer> successes = ConcurrentTasks.runAll(8, i -> {
            int count = 0;
            for (int round = 0; round < 20; round++) {
                StoreWrite entry = new StoreWrite.EntryUpdate(store.readEntry(NODE), heldEntry(contended), NOW);
                StoreWrite status =
                        new StoreWrite.StatusUpdate(readExecution(store, contended), runningStatus(contended));
                count += (i % 2 == 0 ? apply(entry, status) : apply(status, entry)) ? 1 : 0;
            }
            return count;
        });
        // At least one of the concurrent writes succeeds in each round.
        assertThat(successes.stream().mapToInt(Integer::intValue).sum()).isBetween(20, 160);
    }

    /** A row that was deleted and created again must not match a version that was read before. */
    @Test
    void neverReusesVersions() {
        Set<String> entries = new HashSet<>();
        Set<String> executions = new HashSet<>();
        for (int round = 0; round < 5; round++) {
            apply(new StoreWrite.Creation(execution(1)));
            apply(new StoreWrite.EntryUpdate(store.readEntry(NODE), heldEntry(execution(1)), NOW));
            for (int change = 0; change < round; change++) {
                assertThat(executions.add(readExecution(store, execution(1)).version()))
                        .isTrue();
                assertThat(entries.add(store.readEntry(NODE).version())).isTrue();
                apply(new StoreWrite.StatusUpdate(readExecution(store, execution(1)), runningStatus(execution(1))));
                apply(new StoreWrite.EntryUpdate(store.readEntry(NODE), heldEntry(execution(change)), NOW));
            }
            assertThat(executions.add(readExecution(store, execution(1)).version()))
                    .isTrue();
            assertThat(entries.add(store.readEntry(NODE).version())).isTrue();
            assertThat(apply(new StoreWrite.Deletion(readExecution(store, execution(1)), "anna", NOW)))
                    .isTrue();
            assertThat(apply(idleEntryWrite(store.readEntry(NODE)))).isTrue();
            assertThat(store.readEntry(NODE).version()).isEqualTo(Versioned.ABSENT);
        }
        assertThat(entries).hasSize(15);
    }

    private static StoreWrite idleEntryWrite(Versioned<LedgerEntry> seen) {
        return new StoreWrite.EntryUpdate(
                seen, ((Held) seen.value()).release(new ExecutionOutcome.Withdrawn(), LATER), LATER);
    }

    @Test
    void writingIdleEntrySucceedsOnlyWhileEntryIsAbsent() {
        Versioned<LedgerEntry> absent = store.readEntry(NODE);
        StoreWrite idle = new StoreWrite.EntryUpdate(absent, LedgerEntry.initial(NODE), LATER);
        assertThat(apply(idle)).isTrue();
        assertThat(store.readEntry(NODE)).isEqualTo(absent);
        apply(new StoreWrite.EntryUpdate(absent, heldEntry(execution(1)), NOW));
        assertThat(apply(idle)).isFalse();
        assertThat(store.readEntry(NODE).value()).isInstanceOf(Held.class);
    }

    @Test
    void foreignVersionMatchesNoRow() {
        apply(new StoreWrite.Creation(execution(1)));
        Execution mine = readExecution(store, execution(1)).value();
        for (String foreign : List.of("", "abc", "-1", "99999999999999999999", "1.0")) {
            assertThat(apply(new StoreWrite.StatusUpdate(new Versioned<>(mine, foreign), runningStatus(mine))))
                    .isFalse();
        }
    }

    @Test
    void storesAndFindsUnusualTextUnchanged() {
        List<String> texts = List.of(
                "nul \0 inside",
                "half a pair \uD800 here",
                "grüße 😀 ✓",
                "x".repeat(100_000),
                "x".repeat(100_000) + "y",
                "'; DROP TABLE executions; --",
                "percent % under _ back \\",
                "");
        for (int i = 0; i < texts.size(); i++) {
            String text = texts.get(i);
            String workflow = text.isBlank() ? "blank" : text;
            Execution created = Execution.pending(
                    new ExecutionRef("ops", "n" + text, "uid-" + i),
                    NOW.plusSeconds(i),
                    ExecutionSpec.of(workflow, text, Map.of("TEXT", text)));
            assertThat(apply(new StoreWrite.Creation(created))).as(text).isTrue();
            assertThat(readExecution(store, created).value()).isEqualTo(created);
            assertThat(database.queries().findExecution("ops", "n" + text)).isPresent();
            ExecutionFilter filter =
                    new ExecutionFilter(Optional.of("ops"), Optional.empty(), Optional.of(workflow), Optional.of(text));
            assertThat(database.queries().listExecutions(filter, "", 10).items())
                    .extracting(found -> found.value().ref().uid())
                    .containsExactly("uid-" + i);
        }
        assertThat(database.journal().read(Journal.START, 100))
                .hasSize(texts.size())
                .allSatisfy(entry -> assertThat(entry.transition().type()).isEqualTo(TransitionType.WorkflowAccepted));
    }

    @Test
    void expirationCandidatesExcludeHeldAndFailingEntries() {
        apply(new StoreWrite.EntryUpdate(
                store.readEntry(NODE), heldEntry(execution(1)).release(new ExecutionOutcome.Completed(), NOW), NOW));
        Execution other = execution("ops", 2, "repair", "node/held");
        apply(new StoreWrite.EntryUpdate(store.readEntry(heldEntry(other).target()), heldEntry(other), NOW));
        Execution third = execution("ops", 3, "repair", "node/blocked");
        LedgerEntry blocked = heldEntry(third).release(new ExecutionOutcome.FailedDuringExecution("TaskFailed"), NOW);
        apply(new StoreWrite.EntryUpdate(store.readEntry(blocked.target()), blocked, NOW));
        assertThat(database.expirationCandidates(NOW, 10)).isEmpty();
        assertThat(database.expirationCandidates(LATER, 10))
                .extracting(found -> found.value().target())
                .containsExactly(NODE);
    }

    @Test
    void acknowledgedWritesSurviveReopening() {
        apply(new StoreWrite.Creation(execution(1)));
        database.close();
        Database again = testDatabase.open();
        assertThat(readExecution(again.store(), execution(1)).value()).isEqualTo(execution(1));
        assertThat(again.journal().read(Journal.START, 10)).hasSize(1);
    }
}
