package dev.escapement.engine.contract;

import static dev.escapement.engine.contract.ExecutionSamples.NODE;
import static dev.escapement.engine.contract.ExecutionSamples.NOW;
import static dev.escapement.engine.contract.ExecutionSamples.blockedEntry;
import static dev.escapement.engine.contract.ExecutionSamples.completedStatus;
import static dev.escapement.engine.contract.ExecutionSamples.execution;
import static dev.escapement.engine.contract.ExecutionSamples.heldEntry;
import static dev.escapement.engine.contract.ExecutionSamples.readExecution;
import static dev.escapement.engine.contract.ExecutionSamples.runningStatus;
import static dev.escapement.engine.contract.ExecutionSamples.waitingExecution;
import static dev.escapement.engine.contract.ExecutionSamples.waitingStatus;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.ledger.Clearance;
import dev.escapement.governor.ledger.ExecutionOutcome;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import dev.escapement.testkit.ConditionPoller;
import dev.escapement.testkit.Property;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract of {@link ExecutionStore}: every write is a compare-and-set, and reads return what was written. */
public abstract class ExecutionStoreContract {

    /** Opens an empty store. */
    protected abstract ContractPorts open() throws Exception;

    private ContractPorts ports;
    private ExecutionStore store;

    @BeforeEach
    void openPorts() throws Exception {
        ports = open();
        store = ports.store();
    }

    private boolean apply(StoreWrite... writes) {
        return store.apply(List.of(writes));
    }

    private Versioned<Execution> create(Execution execution) {
        return ports.create(execution);
    }

    private boolean putEntry(Versioned<LedgerEntry> seen, LedgerEntry next) {
        return apply(new StoreWrite.EntryUpdate(seen, next, NOW));
    }

    @Test
    void readsCreatedExecution() {
        Execution requested = execution(1);
        Versioned<Execution> read = create(requested);
        assertThat(read.value().spec()).isEqualTo(requested.spec());
        assertThat(read.value().status()).isEqualTo(requested.status());
        assertThat(read.value().ref()).hasToString(requested.ref().toString());
        assertThat(read.version()).isNotEqualTo(Versioned.ABSENT);
        assertThat(store.readExecution(read.value().ref())).hasValue(read);
        assertThat(store.readExecution(execution(2).ref())).isEmpty();
    }

    @Test
    void rejectsDuplicateNameInNamespace() {
        Execution first = create(execution("ops", 1, "repair", "node/a")).value();
        Execution sameName =
                Execution.pending(new ExecutionRef("ops", "e1", "uid-other"), first.createdAt(), first.spec());
        assertThat(apply(new StoreWrite.Creation(sameName))).isFalse();
        assertThat(apply(new StoreWrite.Creation(first))).isFalse();
        assertThat(store.readExecution(sameName.ref())).isEmpty();
        assertThat(readExecution(store, first).value()).isEqualTo(first);
        create(execution("shop", 1, "repair", "node/a"));
    }

    @Test
    void writesStatusOnlyAtExpectedVersion() {
        Versioned<Execution> seen = create(execution(1));
        Execution requested = seen.value();
        assertThat(apply(new StoreWrite.StatusUpdate(seen, runningStatus(requested))))
                .isTrue();
        assertThat(apply(new StoreWrite.StatusUpdate(seen, completedStatus(requested))))
                .isFalse();
        Versioned<Execution> after = readExecution(store, requested);
        assertThat(after.value().status()).isEqualTo(runningStatus(requested));
        assertThat(after.version()).isNotEqualTo(seen.version());
        assertThat(apply(new StoreWrite.StatusUpdate(after, completedStatus(requested))))
                .isTrue();
    }

    @Test
    void storesPendingReasonAndProceeds() {
        Versioned<Execution> seen = create(execution(1));
        assertThat(apply(new StoreWrite.StatusUpdate(seen, waitingStatus()))).isTrue();
        Versioned<Execution> waiting = readExecution(store, seen.value());
        assertThat(waiting.value().status()).isEqualTo(waitingStatus());
        assertThat(apply(new StoreWrite.StatusUpdate(waiting, runningStatus(seen.value()))))
                .isTrue();
        assertThat(readExecution(store, seen.value()).value().status()).isEqualTo(runningStatus(seen.value()));
    }

    private List<String> waitingNames() {
        return store.readWaiting(NODE).stream()
                .map(request -> request.execution().name())
                .sorted()
                .toList();
    }

    /** A store may read from a cache, so it may be late. */
    private void awaitWaiting(String... names) {
        ConditionPoller.await(
                "what waits is " + List.of(names), () -> waitingNames().equals(List.of(names)));
    }

    @Test
    void findsWhatWaitsForTarget() {
        create(execution(1));
        create(waitingExecution(9, "node/other"));
        Versioned<Execution> second = create(waitingExecution(2, NODE.canonical()));
        create(waitingExecution(3, "Node/worker-1"));
        awaitWaiting("e2", "e3");
        assertThat(store.readWaiting(NODE))
                .allSatisfy(request -> assertThat(request.waitTerms()).isPresent());
        assertThat(apply(new StoreWrite.StatusUpdate(second, waitingStatus()))).isTrue();
        Versioned<Execution> waiting = readExecution(store, second.value());
        awaitWaiting("e2", "e3");
        assertThat(apply(new StoreWrite.StatusUpdate(waiting, runningStatus(second.value()))))
                .isTrue();
        awaitWaiting("e3");
    }

    @Test
    void returnsInitialEntryForUnknownTarget() {
        Versioned<LedgerEntry> entry = store.readEntry(NODE);
        assertThat(entry.value()).isEqualTo(LedgerEntry.initial(NODE));
        assertThat(entry.version()).isEqualTo(Versioned.ABSENT);
    }

    @Test
    void acquiresEntryOnlyOnce() {
        Versioned<LedgerEntry> free = store.readEntry(NODE);
        assertThat(putEntry(free, heldEntry(execution(1)))).isTrue();
        assertThat(putEntry(free, heldEntry(execution(2)))).isFalse();
        assertThat(store.readEntry(NODE).value()).isEqualTo(heldEntry(execution(1)));
    }

    @Test
    void writesEntryOnlyAtExpectedVersion() {
        putEntry(store.readEntry(NODE), heldEntry(execution(1)));
        Versioned<LedgerEntry> seen = store.readEntry(NODE);
        assertThat(putEntry(seen, blockedEntry(execution(1)))).isTrue();
        assertThat(putEntry(seen, heldEntry(execution(2)))).isFalse();
        assertThat(store.readEntry(NODE).value()).isEqualTo(blockedEntry(execution(1)));
    }

    @Test
    void readCurrentEntryReturnsLatestWrite() {
        assertThat(store.readCurrentEntry(NODE).version()).isEqualTo(Versioned.ABSENT);
        putEntry(store.readEntry(NODE), heldEntry(execution(1)));
        assertThat(store.readCurrentEntry(NODE).value()).isEqualTo(heldEntry(execution(1)));
        putEntry(store.readCurrentEntry(NODE), blockedEntry(execution(1)));
        assertThat(store.readCurrentEntry(NODE)).isEqualTo(store.readEntry(NODE));
        assertThat(store.readCurrentEntry(NODE).value()).isEqualTo(blockedEntry(execution(1)));
    }

    @Test
    void removesIdleEntryAndNeverReusesVersions() {
        putEntry(store.readEntry(NODE), heldEntry(execution(1)));
        Versioned<LedgerEntry> old = store.readEntry(NODE);
        Instant later = NOW.plus(Duration.ofHours(1));
        LedgerEntry idle = ((Held) old.value()).release(new ExecutionOutcome.Withdrawn(), later);
        assertThat(idle.isIdle(later)).isTrue();
        assertThat(apply(new StoreWrite.EntryUpdate(old, idle, later))).isTrue();
        assertThat(store.readEntry(NODE).version()).isEqualTo(Versioned.ABSENT);

        assertThat(putEntry(store.readEntry(NODE), heldEntry(execution(2)))).isTrue();
        assertThat(putEntry(old, heldEntry(execution(3)))).isFalse();
        assertThat(store.readEntry(NODE).version()).isNotEqualTo(old.version());
    }

    @Test
    void stopsAtFirstFailedWriteOrRollsBack() {
        Versioned<Execution> old = create(execution(1));
        Execution requested = old.value();
        apply(new StoreWrite.Cancellation(old, "anna", NOW));
        Versioned<LedgerEntry> free = store.readEntry(NODE);
        assertThat(apply(
                        new StoreWrite.EntryUpdate(free, heldEntry(requested), NOW),
                        new StoreWrite.StatusUpdate(old, runningStatus(requested))))
                .isFalse();
        assertThat(readExecution(store, requested).value().status()).isInstanceOf(ExecutionStatus.Pending.class);
        assertThat(store.readEntry(NODE).value() instanceof Held)
                .isEqualTo(!ports.traits().isTransactional());
    }

    @Test
    void appliesSeveralWritesTogether() {
        Versioned<Execution> seen = create(execution(1));
        Execution requested = seen.value();
        assertThat(apply(
                        new StoreWrite.EntryUpdate(store.readEntry(NODE), heldEntry(requested), NOW),
                        new StoreWrite.StatusUpdate(seen, runningStatus(requested))))
                .isTrue();
        assertThat(readExecution(store, requested).value().status()).isEqualTo(runningStatus(requested));
        assertThat(store.readEntry(NODE).value()).isEqualTo(heldEntry(requested));
    }

    @Test
    void storesCancellationAndClearance() {
        Versioned<Execution> seen = create(execution(1));
        Execution requested = seen.value();
        Clearance clearance = new Clearance("anna", "looked at it", NOW);
        assertThat(apply(new StoreWrite.Cancellation(seen, "bob", NOW))).isTrue();
        assertThat(apply(new StoreWrite.ClearanceUpdate(readExecution(store, requested), clearance)))
                .isTrue();
        Execution after = readExecution(store, requested).value();
        assertThat(after.cancelledBy()).hasValue("bob");
        assertThat(after.clearance()).hasValue(clearance);
    }

    @Test
    void deletesExecution() {
        Versioned<Execution> seen = create(execution(1));
        Execution requested = seen.value();
        assertThat(apply(new StoreWrite.Deletion(seen, "anna", NOW))).isTrue();
        assertThat(store.readExecution(requested.ref())).isEmpty();
        assertThat(apply(new StoreWrite.StatusUpdate(seen, runningStatus(requested))))
                .isFalse();
        assertThat(apply(new StoreWrite.Deletion(seen, "anna", NOW))).isFalse();
    }

    @Test
    void rejectsDeletionAtStaleVersion() {
        Versioned<Execution> old = create(execution(1));
        Execution requested = old.value();
        apply(new StoreWrite.StatusUpdate(old, runningStatus(requested)));
        assertThat(apply(new StoreWrite.Deletion(old, "anna", NOW))).isFalse();
        assertThat(readExecution(store, requested).value().status()).isEqualTo(runningStatus(requested));
    }

    @Test
    void anyExecutionRoundTrips() {
        int[] number = {0};
        Property.forAll(60, gen -> {
            Execution any = ports.traits().isApiServer()
                    ? ExecutionGenerator.generateValid(gen, number[0]++)
                    : ExecutionGenerator.generate(gen, number[0]++);
            Versioned<Execution> seen = create(Execution.pending(any.ref(), any.metadata(), any.spec()));
            assertThat(apply(new StoreWrite.StatusUpdate(seen, any.status()))).isTrue();
            Execution read = readExecution(store, seen.value()).value();
            assertThat(read.status()).isEqualTo(any.status());
            assertThat(read.spec()).isEqualTo(any.spec());
            assertThat(read.metadata().labels()).isEqualTo(any.metadata().labels());
            assertThat(read.metadata().annotations()).isEqualTo(any.metadata().annotations());
        });
    }

    @Test
    void anyEntryRoundTrips() {
        int[] number = {0};
        Property.forAll(60, gen -> {
            LedgerEntry any = LedgerEntryGenerator.generate(gen, number[0]++);
            assertThat(putEntry(store.readEntry(any.target()), any)).isTrue();
            assertThat(store.readEntry(any.target()).value()).isEqualTo(any);
        });
    }
}
