package dev.escapement.kubernetes.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.contract.Samples;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.port.Store;
import dev.escapement.engine.port.Versioned;
import dev.escapement.engine.port.Write;
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
    private static final class OneEntry implements Store {

        private LedgerEntry entry = LedgerEntry.fresh(Samples.NODE);

        @Override
        public Optional<Versioned<Execution>> execution(ExecutionRef ref) {
            return Optional.empty();
        }

        @Override
        public Versioned<LedgerEntry> entry(Target target) {
            return new Versioned<>(entry, "1");
        }

        @Override
        public Versioned<LedgerEntry> currentEntry(Target target) {
            return entry(target);
        }

        @Override
        public boolean apply(List<Write> writes) {
            writes.forEach(write -> entry = ((Write.Entry) write).next());
            return true;
        }
    }

    private final OneEntry stored = new OneEntry();
    private final List<String> told = new ArrayList<>();
    private final Store store = new TellingStore(
            stored,
            new ItemView<>(),
            transition -> told.add("told " + words(transition)),
            transition -> told.add("insisted on " + words(transition) + " while " + clearedBy() + "'s was stored"));

    private static String words(Transition transition) {
        return transition.type() + " at " + transition.at();
    }

    private String clearedBy() {
        return stored.entry(Samples.NODE).value().clearance().map(Clearance::by).orElse("nobody");
    }

    private void cleared(String by, Instant at) {
        Versioned<LedgerEntry> seen = stored.entry(Samples.NODE);
        LedgerEntry next = Samples.blocked(Samples.execution(1))
                .clear(new Clearance(by, "repaired by hand", at))
                .orElseThrow();
        assertThat(store.apply(List.of(new Write.Entry(seen, next, at)))).isTrue();
    }

    @Test
    void aClearanceIsToldForCertainBeforeTheNextOneTakesItsPlace() {
        cleared("ada", Samples.NOW);
        assertThat(told).containsExactly("told BlockCleared at " + Samples.NOW);
        told.clear();

        Instant later = Samples.NOW.plusSeconds(60);
        cleared("grace", later);
        assertThat(told)
                .containsExactly(
                        "insisted on BlockCleared at " + Samples.NOW + " while ada's was stored",
                        "told BlockCleared at " + later);
    }

    @Test
    void aClearanceIsToldForCertainBeforeItsEntryForgetsIt() {
        cleared("ada", Samples.NOW);
        told.clear();
        Versioned<LedgerEntry> seen = stored.entry(Samples.NODE);
        LedgerEntry forgetful =
                seen.value().with(seen.value().epoch(), seen.value().memory(), Optional.empty());
        assertThat(store.apply(List.of(new Write.Entry(seen, forgetful, Samples.NOW))))
                .isTrue();
        assertThat(told).containsExactly("insisted on BlockCleared at " + Samples.NOW + " while ada's was stored");
    }

    @Test
    void whatKeepsTheClearanceWaitsForNobody() {
        cleared("ada", Samples.NOW);
        told.clear();
        Versioned<LedgerEntry> seen = stored.entry(Samples.NODE);
        LedgerEntry next = seen.value()
                .with(
                        seen.value().epoch() + 1,
                        seen.value().memory(),
                        seen.value().clearance());
        assertThat(store.apply(List.of(new Write.Entry(seen, next, Samples.NOW))))
                .isTrue();
        assertThat(told).isEmpty();
    }
}
