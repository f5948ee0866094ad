package dev.escapement.kubernetes.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.contract.ExecutionSamples;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.Clearance;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.kubernetes.store.ItemView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Of a clearance only its entry knows, and only of the last one. */
class TellingStoreTest {

    /** Has one entry, and makes every write. */
    private static final class OneEntry implements ExecutionStore {

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
        public boolean apply(List<StoreWrite> writes) {
            writes.forEach(write -> entry = ((StoreWrite.EntryUpdate) write).updated());
            return true;
        }
    }

    private final OneEntry stored = new OneEntry();
    private final List<String> told = new ArrayList<>();
    private final ExecutionStore store = new TellingStore(
            stored,
            new ItemView<>(),
            transition -> told.add("told " + words(transition)),
            transition -> told.add("insisted on " + words(transition) + " while " + clearedBy() + "'s was stored"));

    private static String words(Transition transition) {
        return transition.type() + " at " + transition.at();
    }

    private String clearedBy() {
        return stored.readEntry(ExecutionSamples.NODE)
                .value()
                .clearance()
                .map(Clearance::actor)
                .orElse("nobody");
    }

    private void cleared(String by, Instant at) {
        Versioned<LedgerEntry> seen = stored.readEntry(ExecutionSamples.NODE);
        LedgerEntry next = ExecutionSamples.blockedEntry(ExecutionSamples.execution(1))
                .clear(new Clearance(by, "repaired by hand", at))
                .orElseThrow();
        assertThat(store.apply(List.of(new StoreWrite.EntryUpdate(seen, next, at))))
                .isTrue();
    }

    @Test
    void aClearanceIsToldForCertainBeforeTheNextOneTakesItsPlace() {
        cleared("ada", ExecutionSamples.NOW);
        assertThat(told).containsExactly("told BlockCleared at " + ExecutionSamples.NOW);
        told.clear();

        Instant later = ExecutionSamples.NOW.plusSeconds(60);
        cleared("grace", later);
        assertThat(told)
                .containsExactly(
                        "insisted on BlockCleared at " + ExecutionSamples.NOW + " while ada's was stored",
                        "told BlockCleared at " + later);
    }

    @Test
    void aClearanceIsToldForCertainBeforeItsEntryForgetsIt() {
        cleared("ada", ExecutionSamples.NOW);
        told.clear();
        Versioned<LedgerEntry> seen = stored.readEntry(ExecutionSamples.NODE);
        LedgerEntry forgetful =
                seen.value().withContents(seen.value().epoch(), seen.value().memory(), Optional.empty());
        assertThat(store.apply(List.of(new StoreWrite.EntryUpdate(seen, forgetful, ExecutionSamples.NOW))))
                .isTrue();
        assertThat(told)
                .containsExactly("insisted on BlockCleared at " + ExecutionSamples.NOW + " while ada's was stored");
    }

    @Test
    void whatKeepsTheClearanceWaitsForNobody() {
        cleared("ada", ExecutionSamples.NOW);
        told.clear();
        Versioned<LedgerEntry> seen = stored.readEntry(ExecutionSamples.NODE);
        LedgerEntry next = seen.value()
                .withContents(
                        seen.value().epoch() + 1,
                        seen.value().memory(),
                        seen.value().clearance());
        assertThat(store.apply(List.of(new StoreWrite.EntryUpdate(seen, next, ExecutionSamples.NOW))))
                .isTrue();
        assertThat(told).isEmpty();
    }
}
