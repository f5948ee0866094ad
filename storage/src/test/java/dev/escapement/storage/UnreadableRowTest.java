package dev.escapement.storage;

import static dev.escapement.engine.contract.ExecutionSamples.NOW;
import static dev.escapement.engine.contract.ExecutionSamples.completedStatus;
import static dev.escapement.engine.contract.ExecutionSamples.execution;
import static dev.escapement.engine.contract.ExecutionSamples.heldEntry;
import static dev.escapement.engine.contract.ExecutionSamples.readExecution;
import static dev.escapement.engine.contract.ExecutionSamples.waitingExecution;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.port.ExecutionQueries.EntryFilter;
import dev.escapement.engine.port.ExecutionQueries.ExecutionFilter;
import dev.escapement.engine.port.ExecutionQueries.Page;
import dev.escapement.engine.port.Journal;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.ExecutionOutcome;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A damaged document does not hide the others. */
@ParameterizedClass
@EnumSource(DatabaseKind.class)
class UnreadableRowTest {

    private final TestDatabase testDatabase;
    private final Database database;

    UnreadableRowTest(DatabaseKind kind) {
        testDatabase = kind.create();
        database = testDatabase.open();
    }

    @AfterEach
    void close() {
        testDatabase.close();
    }

    private void createExecutions() {
        for (int number = 1; number <= 3; number++) {
            assertThat(database.store().apply(List.of(new StoreWrite.Creation(execution(number)))))
                    .isTrue();
        }
    }

    private static List<String> names(List<Versioned<Execution>> executions) {
        return executions.stream().map(each -> each.value().ref().name()).toList();
    }

    @Test
    void listsAllOtherExecutions() throws Exception {
        createExecutions();
        testDatabase.execute("UPDATE executions SET document = '{damaged' WHERE name = 'e2'");
        ExecutionFilter all =
                new ExecutionFilter(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
        assertThat(names(database.queries().listExecutions(all, "", 10).items()))
                .containsExactlyInAnyOrder("e1", "e3");
        // Also if the last row of a page is the damaged one.
        List<String> paged = new ArrayList<>();
        Page<Versioned<Execution>> page = database.queries().listExecutions(all, "", 1);
        paged.addAll(names(page.items()));
        while (page.nextToken().isPresent()) {
            page = database.queries().listExecutions(all, page.nextToken().get(), 1);
            paged.addAll(names(page.items()));
        }
        assertThat(paged).containsExactlyInAnyOrder("e1", "e3");
    }

    @Test
    void findsAllOtherUnfinishedExecutions() throws Exception {
        database.serverRegistry().register("a", "first", Duration.ofMinutes(10));
        createExecutions();
        testDatabase.execute("UPDATE executions SET document = '{damaged' WHERE name = 'e2'");
        List<Versioned<Execution>> found = new ArrayList<>();
        database.serverRegistry().forEachUnfinished(found::add);
        assertThat(names(found)).containsExactlyInAnyOrder("e1", "e3");
    }

    @Test
    void listsAllOtherLedgerEntries() throws Exception {
        for (String target : List.of("node/a", "node/b", "node/c")) {
            var entry = database.store().readEntry(Target.parse(target));
            var held = heldEntry(execution(1));
            var own = new Held(Target.parse(target), held.epoch(), held.memory(), held.clearance(), held.holder());
            assertThat(database.store().apply(List.of(new StoreWrite.EntryUpdate(entry, own, NOW))))
                    .isTrue();
        }
        testDatabase.execute("UPDATE ledger SET document = '{damaged' WHERE target = 'node/b'");
        assertThat(database.queries().listEntries(EntryFilter.ALL, "", 10).items())
                .extracting(entry -> entry.value().target().canonical())
                .containsExactly("node/a", "node/c");
    }

    private void completeAll() {
        for (int number = 1; number <= 3; number++) {
            Versioned<Execution> seen = readExecution(database.store(), execution(number));
            assertThat(database.store()
                            .apply(List.of(new StoreWrite.StatusUpdate(seen, completedStatus(execution(number))))))
                    .isTrue();
        }
    }

    @Test
    void listsAllOtherFinishedExecutions() throws Exception {
        createExecutions();
        completeAll();
        testDatabase.execute("UPDATE executions SET document = '{damaged' WHERE name = 'e2'");
        List<Versioned<Execution>> found = new ArrayList<>();
        database.forEachFinished(NOW.plus(Duration.ofDays(1)), found::add);
        assertThat(names(found)).containsExactly("e1", "e3");
    }

    @Test
    void listsAllOtherIdleLedgerEntries() throws Exception {
        for (int number = 1; number <= 3; number++) {
            Execution execution = execution("ops", number, "repair", "node/n-" + number);
            Target target = Target.parse("node/n-" + number);
            var completed = heldEntry(execution).release(new ExecutionOutcome.Completed(), NOW);
            assertThat(database.store()
                            .apply(List.of(
                                    new StoreWrite.EntryUpdate(database.store().readEntry(target), completed, NOW))))
                    .isTrue();
        }
        testDatabase.execute("UPDATE ledger SET document = '{damaged' WHERE target = 'node/n-1'");
        assertThat(database.expirationCandidates(NOW.plusSeconds(1), 10))
                .extracting(entry -> entry.value().target().canonical())
                .containsExactly("node/n-2", "node/n-3");
    }

    /** Otherwise nothing could be admitted on this target any more. */
    @Test
    void findsAllOthersThatWait() throws Exception {
        for (int number = 1; number <= 3; number++) {
            Execution waiting = waitingExecution(number, "node/a");
            assertThat(database.store().apply(List.of(new StoreWrite.Creation(waiting))))
                    .isTrue();
        }
        testDatabase.execute("UPDATE executions SET document = '{damaged' WHERE name = 'e1'");
        assertThat(database.store().readWaiting(Target.parse("node/a")))
                .extracting(request -> request.execution().name())
                .containsExactly("e2", "e3");
    }

    @Test
    void readsAllOtherRecordsOfJournal() throws Exception {
        createExecutions();
        testDatabase.execute("UPDATE journal SET document = '{damaged' WHERE execution = 'uid-ops-2'");
        assertThat(executionNames(database.journal().read(Journal.START, 10))).containsExactly("e1", "e3");
        // Also if a batch contains only the damaged one.
        List<Journal.Entry> first = database.journal().read(Journal.START, 1);
        assertThat(executionNames(database.journal().read(first.get(0).position(), 1)))
                .containsExactly("e3");
    }

    private static List<String> executionNames(List<Journal.Entry> records) {
        return records.stream()
                .map(each -> each.transition().execution().orElseThrow().name())
                .toList();
    }
}
