package dev.escapement.kubernetes.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.contract.ExecutionSamples;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.Target;
import dev.escapement.governor.gate.GateRequest;
import dev.escapement.governor.ledger.Clearance;
import dev.escapement.governor.ledger.ExecutionOutcome;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.kubernetes.cache.ResourceCache;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** An entry stores only its last clearance, so the Event of the previous one must exist before the write. */
class EventPublishingStoreTest {

    /** A store with one entry that applies every write. */
    private static final class SingleEntryStore implements ExecutionStore {

        private boolean refusing;
        private LedgerEntry entry = LedgerEntry.initial(ExecutionSamples.NODE);

        @Override
        public Optional<Versioned<Execution>> readExecution(ExecutionRef ref) {
            return Optional.empty();
        }

        @Override
        public Versioned<LedgerEntry> readEntry(Target target) {
            return new Versioned<>(entry, "1");
        }

        @Override
        public Versioned<LedgerEntry> readCurrentEntry(Target target) {
            return readEntry(target);
        }

        @Override
        public List<GateRequest> readWaiting(Target target) {
            return List.of();
        }

        @Override
        public boolean apply(List<StoreWrite> writes) {
            if (refusing) {
                return false;
            }
            for (StoreWrite write : writes) {
                if (write instanceof StoreWrite.EntryUpdate update) {
                    entry = update.updated();
                }
            }
            return true;
        }
    }

    private final SingleEntryStore stored = new SingleEntryStore();
    private final List<String> published = new ArrayList<>();
    private final ExecutionStore store = new EventPublishingStore(
            stored,
            new ResourceCache<>(),
            transition -> published.add("published " + describe(transition)),
            transition ->
                    published.add("waited for " + describe(transition) + " while " + clearedBy() + "'s was stored"),
            execution -> published.add("history of " + execution.ref().name()),
            held -> published.add("release of " + held.holder().execution().name()),
            new DeletionActors());

    private static String describe(Transition transition) {
        return transition.type() + " at " + transition.at();
    }

    private String clearedBy() {
        return stored.readEntry(ExecutionSamples.NODE)
                .value()
                .clearance()
                .map(Clearance::actor)
                .orElse("none");
    }

    private void clearBlock(String by, Instant at) {
        Versioned<LedgerEntry> seen = stored.readEntry(ExecutionSamples.NODE);
        LedgerEntry next = ExecutionSamples.blockedEntry(ExecutionSamples.execution(1))
                .clear(new Clearance(by, "repaired by hand", at))
                .orElseThrow();
        assertThat(store.apply(List.of(new StoreWrite.EntryUpdate(seen, next, at))))
                .isTrue();
    }

    /** The watch may report a new execution only after this process has decided about it. */
    @Test
    void publishesHistoryBeforeChange() {
        Execution execution = ExecutionSamples.execution(1);
        Versioned<Execution> seen = new Versioned<>(execution, "1");
        store.apply(List.of(new StoreWrite.StatusUpdate(seen, ExecutionSamples.completedStatus(execution))));
        store.apply(List.of(new StoreWrite.Cancellation(seen, "ada", ExecutionSamples.NOW)));
        String history = "history of " + execution.ref().name();
        assertThat(published).hasSize(4);
        assertThat(published.get(0)).isEqualTo(history);
        assertThat(published.get(1)).startsWith("published WorkflowCompleted");
        assertThat(published.get(2)).isEqualTo(history);
        assertThat(published.get(3)).startsWith("published CancellationRequested");
    }

    /** The Event of the final status may not exist yet. */
    @Test
    void leavesReleaseWithoutFinalStatusToReplayer() {
        Execution execution = ExecutionSamples.execution(1);
        LedgerEntry.Held held = ExecutionSamples.heldEntry(execution);
        LedgerEntry free = held.release(new ExecutionOutcome.Completed(), ExecutionSamples.NOW);
        StoreWrite release = new StoreWrite.EntryUpdate(new Versioned<>(held, "1"), free, ExecutionSamples.NOW);
        store.apply(List.of(release));
        assertThat(published).containsExactly("release of " + execution.ref().name());

        published.clear();
        stored.refusing = true;
        store.apply(List.of(release));
        assertThat(published)
                .as("perhaps an earlier attempt was applied")
                .containsExactly("release of " + execution.ref().name());

        published.clear();
        stored.refusing = false;
        Versioned<Execution> seen = new Versioned<>(execution, "1");
        store.apply(List.of(new StoreWrite.StatusUpdate(seen, ExecutionSamples.completedStatus(execution)), release));
        assertThat(published).last().asString().startsWith("published LockReleased");
    }

    @Test
    void waitsForClearanceEventBeforeNextClearanceReplacesIt() {
        clearBlock("ada", ExecutionSamples.NOW);
        assertThat(published).containsExactly("published BlockCleared at " + ExecutionSamples.NOW);
        published.clear();

        Instant later = ExecutionSamples.NOW.plusSeconds(60);
        clearBlock("grace", later);
        assertThat(published)
                .containsExactly(
                        "waited for BlockCleared at " + ExecutionSamples.NOW + " while ada's was stored",
                        "published BlockCleared at " + later);
    }

    @Test
    void waitsForClearanceEventBeforeEntryDropsIt() {
        clearBlock("ada", ExecutionSamples.NOW);
        published.clear();
        Versioned<LedgerEntry> seen = stored.readEntry(ExecutionSamples.NODE);
        LedgerEntry withoutClearance =
                seen.value().withContents(seen.value().epoch(), seen.value().memory(), Optional.empty());
        assertThat(store.apply(List.of(new StoreWrite.EntryUpdate(seen, withoutClearance, ExecutionSamples.NOW))))
                .isTrue();
        assertThat(published)
                .containsExactly("waited for BlockCleared at " + ExecutionSamples.NOW + " while ada's was stored");
    }

    @Test
    void doesNotWaitWhenClearanceIsKept() {
        clearBlock("ada", ExecutionSamples.NOW);
        published.clear();
        Versioned<LedgerEntry> seen = stored.readEntry(ExecutionSamples.NODE);
        LedgerEntry next = seen.value()
                .withContents(
                        seen.value().epoch() + 1,
                        seen.value().memory(),
                        seen.value().clearance());
        assertThat(store.apply(List.of(new StoreWrite.EntryUpdate(seen, next, ExecutionSamples.NOW))))
                .isTrue();
        assertThat(published).isEmpty();
    }
}
