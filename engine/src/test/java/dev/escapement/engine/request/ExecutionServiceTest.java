package dev.escapement.engine.request;

import static dev.escapement.engine.contract.ExecutionSamples.NODE;
import static dev.escapement.engine.contract.ExecutionSamples.NOW;
import static dev.escapement.engine.contract.ExecutionSamples.blockedEntry;
import static dev.escapement.engine.contract.ExecutionSamples.completedStatus;
import static dev.escapement.engine.contract.ExecutionSamples.execution;
import static dev.escapement.engine.contract.ExecutionSamples.heldEntry;
import static dev.escapement.engine.contract.ExecutionSamples.readExecution;
import static dev.escapement.engine.contract.ExecutionSamples.runningStatus;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.contract.ContractPorts;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.port.ExecutionStore.ForwardingStore;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.engine.port.Versioned;
import dev.escapement.engine.sim.SimulatedPorts;
import dev.escapement.governor.Policy;
import dev.escapement.governor.PolicyText;
import dev.escapement.governor.failure.Failure;
import dev.escapement.governor.failure.FailureClassifier;
import dev.escapement.governor.failure.RunEnd;
import dev.escapement.governor.failure.RunFacts;
import dev.escapement.governor.gate.GateDecision;
import dev.escapement.governor.gate.SkipReason;
import dev.escapement.governor.ledger.Clearance;
import dev.escapement.governor.ledger.ExecutionOutcome;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Free;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ExecutionServiceTest {

    private static final Clearance CLEARANCE = new Clearance("anna", "looked at it", NOW);

    private final ContractPorts ports = SimulatedPorts.withoutFaults();
    private final ExecutionStore store = ports.store();
    private final ExecutionService service = newService(Policy.DEFAULT);

    private ExecutionService newService(Policy policy) {
        return new ExecutionService(store, ports.queries(), () -> policy);
    }

    private Execution create(int number) {
        assertThat(service.create(execution(number))).isTrue();
        return execution(number);
    }

    private void putEntry(LedgerEntry entry) {
        assertThat(store.apply(List.of(new StoreWrite.EntryUpdate(store.readEntry(NODE), entry, NOW))))
                .isTrue();
    }

    @Test
    void rejectsDuplicateName() {
        create(1);
        assertThat(service.create(execution(1))).isFalse();
    }

    @Test
    void recordsOnlyFirstCancellation() {
        create(1);
        assertThat(service.cancel("ops", "e1", "bob", NOW).orElseThrow().value().cancelledBy())
                .hasValue("bob");
        assertThat(service.cancel("ops", "e1", "eve", NOW).orElseThrow().value().cancelledBy())
                .hasValue("bob");
        assertThat(service.cancel("ops", "none", "bob", NOW)).isEmpty();
    }

    @Test
    void doesNotCancelFinalExecution() {
        Execution requested = create(1);
        store.apply(List.of(new StoreWrite.StatusUpdate(readExecution(store, requested), runningStatus(requested))));
        store.apply(List.of(new StoreWrite.StatusUpdate(readExecution(store, requested), completedStatus(requested))));
        Versioned<Execution> before = readExecution(store, requested);
        assertThat(service.cancel("ops", "e1", "bob", NOW)).hasValue(before);
    }

    @Test
    void deletingBlockingExecutionResetsBlock() {
        create(1);
        putEntry(blockedEntry(execution(1)));
        assertThat(service.delete("ops", "e1", "anna", NOW)).isPresent();
        assertThat(store.readEntry(NODE).value().memory().isEmpty()).isTrue();
        assertThat(service.delete("ops", "e1", "anna", NOW)).isEmpty();
    }

    @Test
    void returnsDeletedExecutionWhenOnlyLedgerWriteFails() {
        create(1);
        putEntry(blockedEntry(execution(1)));
        ExecutionService conflicting =
                new ExecutionService(new ConflictingLedgerStore(store), ports.queries(), () -> Policy.DEFAULT);
        assertThat(conflicting.delete("ops", "e1", "anna", NOW)).isPresent();
        assertThat(ports.queries().findExecution("ops", "e1")).isEmpty();
    }

    /** Without transactions: applies the first write, and the others conflict. */
    private record ConflictingLedgerStore(ExecutionStore delegate) implements ForwardingStore {

        @Override
        public boolean apply(List<StoreWrite> writes) {
            return delegate.apply(writes.subList(0, 1)) && writes.size() == 1;
        }
    }

    @Test
    void deletionKeepsBlockWhenPolicyForbidsReset() {
        create(1);
        putEntry(blockedEntry(execution(1)));
        newService(PolicyText.parse(Map.of("reset-on-delete", "false"))).delete("ops", "e1", "anna", NOW);
        assertThat(store.readEntry(NODE).value().memory().hasFailures()).isTrue();
    }

    @Test
    void writesClearanceToLedgerAndExecution() {
        Execution failed = create(1);
        putEntry(blockedEntry(failed));
        assertThat(service.clear(NODE, CLEARANCE)).isPresent();
        assertThat(store.readEntry(NODE).value().memory().hasFailures()).isFalse();
        assertThat(store.readEntry(NODE).value().clearance()).hasValue(CLEARANCE);
        assertThat(readExecution(store, failed).value().clearance()).hasValue(CLEARANCE);
        assertThat(service.clear(NODE, CLEARANCE)).isEmpty();
    }

    @Test
    void clearsBlockOfDeletedExecution() {
        putEntry(blockedEntry(execution(1)));
        assertThat(service.clear(NODE, CLEARANCE)).isPresent();
    }

    @Test
    void clearsFailedExecutionBeforeRelease() {
        Execution failed = create(1);
        putEntry(heldEntry(failed));
        store.apply(List.of(new StoreWrite.StatusUpdate(readExecution(store, failed), runningStatus(failed))));
        assertThat(service.clear(NODE, CLEARANCE)).describedAs("it is active").isEmpty();
        Failure failure = FailureClassifier.classify("repair", "node/worker-1", RunFacts.of(RunEnd.LOST, NOW));
        store.apply(List.of(new StoreWrite.StatusUpdate(
                readExecution(store, failed),
                runningStatus(failed).toFailed(failure, new ExecutionOutcome.FailedDuringExecution("Unknown")))));
        assertThat(service.clear(NODE, CLEARANCE)).isPresent();
        assertThat(store.readEntry(NODE).value()).isInstanceOf(Free.class);
        assertThat(service.explain("repair", NODE, NOW)).isInstanceOf(GateDecision.Admit.class);
        assertThat(readExecution(store, failed).value().clearance()).hasValue(CLEARANCE);
    }

    @Test
    void explainIgnoresFinalHolderAndChangesNothing() {
        assertThat(service.explain("repair", NODE, NOW)).isInstanceOf(GateDecision.Admit.class);
        Execution holder = create(1);
        putEntry(heldEntry(holder));
        store.apply(List.of(new StoreWrite.StatusUpdate(readExecution(store, holder), runningStatus(holder))));
        assertThat(skipReason("other")).isEqualTo(SkipReason.ResourceBusy);
        store.apply(List.of(new StoreWrite.StatusUpdate(readExecution(store, holder), completedStatus(holder))));
        assertThat(service.explain("other", NODE, NOW)).isInstanceOf(GateDecision.Admit.class);
        assertThat(skipReason("repair")).isEqualTo(SkipReason.RecentlyRemediated);
    }

    private SkipReason skipReason(String workflow) {
        return ((GateDecision.Skip) service.explain(workflow, NODE, NOW)).reason();
    }
}
