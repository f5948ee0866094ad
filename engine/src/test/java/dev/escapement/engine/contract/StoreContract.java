package dev.escapement.engine.contract;

import static dev.escapement.engine.contract.Samples.NODE;
import static dev.escapement.engine.contract.Samples.NOW;
import static dev.escapement.engine.contract.Samples.blocked;
import static dev.escapement.engine.contract.Samples.completed;
import static dev.escapement.engine.contract.Samples.execution;
import static dev.escapement.engine.contract.Samples.held;
import static dev.escapement.engine.contract.Samples.read;
import static dev.escapement.engine.contract.Samples.running;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.Status;
import dev.escapement.engine.port.Store;
import dev.escapement.engine.port.Versioned;
import dev.escapement.engine.port.Write;
import dev.escapement.governor.ledger.Clearance;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import dev.escapement.governor.ledger.Outcome;
import dev.escapement.testkit.Property;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every change is a compare-and-set, and what is read is what was written. */
public abstract class StoreContract {

    /** An empty store. */
    protected abstract Ports open() throws Exception;

    private Ports ports;
    private Store store;

    @BeforeEach
    void openPorts() throws Exception {
        ports = open();
        store = ports.store();
    }

    private boolean apply(Write... writes) {
        return store.apply(List.of(writes));
    }

    private Versioned<Execution> created(Execution execution) {
        return ports.create(execution);
    }

    private boolean put(Versioned<LedgerEntry> seen, LedgerEntry next) {
        return apply(new Write.Entry(seen, next, NOW));
    }

    @Test
    void whatWasCreatedIsRead() {
        Execution asked = execution(1);
        Versioned<Execution> read = created(asked);
        assertThat(read.value().spec()).isEqualTo(asked.spec());
        assertThat(read.value().status()).isEqualTo(asked.status());
        assertThat(read.value().ref()).hasToString(asked.ref().toString());
        assertThat(read.version()).isNotEqualTo(Versioned.ABSENT);
        assertThat(store.execution(read.value().ref())).hasValue(read);
        assertThat(store.execution(execution(2).ref())).isEmpty();
    }

    @Test
    void aNameIsGivenOncePerNamespace() {
        Execution first = created(execution("ops", 1, "repair", "node/a")).value();
        Execution sameName =
                Execution.pending(new ExecutionRef("ops", "e1", "uid-other"), first.createdAt(), first.spec());
        assertThat(apply(new Write.Create(sameName))).isFalse();
        assertThat(apply(new Write.Create(first))).isFalse();
        assertThat(store.execution(sameName.ref())).isEmpty();
        assertThat(read(store, first).value()).isEqualTo(first);
        created(execution("shop", 1, "repair", "node/a"));
    }

    @Test
    void aStatusIsWrittenUnderTheVersionThatWasSeen() {
        Versioned<Execution> seen = created(execution(1));
        Execution asked = seen.value();
        assertThat(apply(new Write.StatusOf(seen, running(asked)))).isTrue();
        assertThat(apply(new Write.StatusOf(seen, completed(asked)))).isFalse();
        Versioned<Execution> after = read(store, asked);
        assertThat(after.value().status()).isEqualTo(running(asked));
        assertThat(after.version()).isNotEqualTo(seen.version());
        assertThat(apply(new Write.StatusOf(after, completed(asked)))).isTrue();
    }

    @Test
    void aTargetWithoutAnEntryIsFree() {
        Versioned<LedgerEntry> entry = store.entry(NODE);
        assertThat(entry.value()).isEqualTo(LedgerEntry.fresh(NODE));
        assertThat(entry.version()).isEqualTo(Versioned.ABSENT);
    }

    @Test
    void anEntryIsTakenOnce() {
        Versioned<LedgerEntry> free = store.entry(NODE);
        assertThat(put(free, held(execution(1)))).isTrue();
        assertThat(put(free, held(execution(2)))).isFalse();
        assertThat(store.entry(NODE).value()).isEqualTo(held(execution(1)));
    }

    @Test
    void anEntryIsChangedUnderTheVersionThatWasSeen() {
        put(store.entry(NODE), held(execution(1)));
        Versioned<LedgerEntry> seen = store.entry(NODE);
        assertThat(put(seen, blocked(execution(1)))).isTrue();
        assertThat(put(seen, held(execution(2)))).isFalse();
        assertThat(store.entry(NODE).value()).isEqualTo(blocked(execution(1)));
    }

    @Test
    void theCurrentEntryIsWhatWasWrittenLast() {
        assertThat(store.currentEntry(NODE).version()).isEqualTo(Versioned.ABSENT);
        put(store.entry(NODE), held(execution(1)));
        assertThat(store.currentEntry(NODE).value()).isEqualTo(held(execution(1)));
        put(store.currentEntry(NODE), blocked(execution(1)));
        assertThat(store.currentEntry(NODE)).isEqualTo(store.entry(NODE));
        assertThat(store.currentEntry(NODE).value()).isEqualTo(blocked(execution(1)));
    }

    @Test
    void anIdleEntryIsRemovedAndItsVersionsNeverComeBack() {
        put(store.entry(NODE), held(execution(1)));
        Versioned<LedgerEntry> old = store.entry(NODE);
        Instant later = NOW.plus(Duration.ofHours(1));
        LedgerEntry idle = ((Held) old.value()).release(new Outcome.Withdrawn(), later);
        assertThat(idle.isIdle(later)).isTrue();
        assertThat(apply(new Write.Entry(old, idle, later))).isTrue();
        assertThat(store.entry(NODE).version()).isEqualTo(Versioned.ABSENT);

        assertThat(put(store.entry(NODE), held(execution(2)))).isTrue();
        assertThat(put(old, held(execution(3)))).isFalse();
        assertThat(store.entry(NODE).version()).isNotEqualTo(old.version());
    }

    @Test
    void ofSeveralWritesAllAreMadeOrThoseBeforeTheFirstThatFails() {
        Versioned<Execution> old = created(execution(1));
        Execution asked = old.value();
        apply(new Write.CancelOf(old, "anna", NOW));
        Versioned<LedgerEntry> free = store.entry(NODE);
        assertThat(apply(new Write.Entry(free, held(asked), NOW), new Write.StatusOf(old, running(asked))))
                .isFalse();
        assertThat(read(store, asked).value().status()).isInstanceOf(Status.Pending.class);
        assertThat(store.entry(NODE).value() instanceof Held)
                .isEqualTo(!ports.nature().isTransactional());
    }

    @Test
    void severalWritesAreMadeTogether() {
        Versioned<Execution> seen = created(execution(1));
        Execution asked = seen.value();
        assertThat(apply(
                        new Write.Entry(store.entry(NODE), held(asked), NOW), new Write.StatusOf(seen, running(asked))))
                .isTrue();
        assertThat(read(store, asked).value().status()).isEqualTo(running(asked));
        assertThat(store.entry(NODE).value()).isEqualTo(held(asked));
    }

    @Test
    void aWishAndAClearanceAreKeptWithTheExecution() {
        Versioned<Execution> seen = created(execution(1));
        Execution asked = seen.value();
        Clearance clearance = new Clearance("anna", "looked at it", NOW);
        assertThat(apply(new Write.CancelOf(seen, "bob", NOW))).isTrue();
        assertThat(apply(new Write.ClearanceOf(read(store, asked), clearance))).isTrue();
        Execution after = read(store, asked).value();
        assertThat(after.cancelledBy()).hasValue("bob");
        assertThat(after.clearance()).hasValue(clearance);
    }

    @Test
    void whatIsDeletedIsGone() {
        Versioned<Execution> seen = created(execution(1));
        Execution asked = seen.value();
        assertThat(apply(new Write.DeleteOf(seen, "anna", NOW))).isTrue();
        assertThat(store.execution(asked.ref())).isEmpty();
        assertThat(apply(new Write.StatusOf(seen, running(asked)))).isFalse();
        assertThat(apply(new Write.DeleteOf(seen, "anna", NOW))).isFalse();
    }

    @Test
    void aDeletionUnderAnOldVersionIsNone() {
        Versioned<Execution> old = created(execution(1));
        Execution asked = old.value();
        apply(new Write.StatusOf(old, running(asked)));
        assertThat(apply(new Write.DeleteOf(old, "anna", NOW))).isFalse();
        assertThat(read(store, asked).value().status()).isEqualTo(running(asked));
    }

    @Test
    void anyExecutionIsReadAsItWasWritten() {
        int[] number = {0};
        Property.forAll(60, gen -> {
            Execution any = ports.nature().isApiServer()
                    ? AnyExecution.legal(gen, number[0]++)
                    : AnyExecution.of(gen, number[0]++);
            Versioned<Execution> seen = created(Execution.pending(any.ref(), any.metadata(), any.spec()));
            assertThat(apply(new Write.StatusOf(seen, any.status()))).isTrue();
            Execution read = read(store, seen.value()).value();
            assertThat(read.status()).isEqualTo(any.status());
            assertThat(read.spec()).isEqualTo(any.spec());
            assertThat(read.metadata().labels()).isEqualTo(any.metadata().labels());
            assertThat(read.metadata().annotations()).isEqualTo(any.metadata().annotations());
        });
    }

    @Test
    void anyEntryIsReadAsItWasWritten() {
        int[] number = {0};
        Property.forAll(60, gen -> {
            LedgerEntry any = AnyEntry.of(gen, number[0]++);
            assertThat(put(store.entry(any.target()), any)).isTrue();
            assertThat(store.entry(any.target()).value()).isEqualTo(any);
        });
    }
}
