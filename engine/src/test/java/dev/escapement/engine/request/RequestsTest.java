package dev.escapement.engine.request;

import static dev.escapement.engine.contract.Samples.NODE;
import static dev.escapement.engine.contract.Samples.NOW;
import static dev.escapement.engine.contract.Samples.blocked;
import static dev.escapement.engine.contract.Samples.completed;
import static dev.escapement.engine.contract.Samples.execution;
import static dev.escapement.engine.contract.Samples.held;
import static dev.escapement.engine.contract.Samples.read;
import static dev.escapement.engine.contract.Samples.running;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.contract.Ports;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.port.Store;
import dev.escapement.engine.port.Versioned;
import dev.escapement.engine.port.Write;
import dev.escapement.engine.sim.SimulatedPorts;
import dev.escapement.governor.Policy;
import dev.escapement.governor.PolicyText;
import dev.escapement.governor.failure.Failure;
import dev.escapement.governor.failure.FailureClassifier;
import dev.escapement.governor.failure.RunEnd;
import dev.escapement.governor.failure.RunFacts;
import dev.escapement.governor.failure.Subject;
import dev.escapement.governor.gate.Decision;
import dev.escapement.governor.gate.SkipReason;
import dev.escapement.governor.ledger.Clearance;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Free;
import dev.escapement.governor.ledger.Outcome;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RequestsTest {

    private static final Clearance CLEARANCE = new Clearance("anna", "looked at it", NOW);

    private final Ports ports = SimulatedPorts.quiet();
    private final Store store = ports.store();
    private final Requests requests = requests(Policy.DEFAULT);

    private Requests requests(Policy policy) {
        return new Requests(store, ports.directory(), () -> policy);
    }

    private Execution created(int number) {
        assertThat(requests.create(execution(number))).isTrue();
        return execution(number);
    }

    private void put(LedgerEntry entry) {
        assertThat(store.apply(List.of(new Write.Entry(store.entry(NODE), entry, NOW))))
                .isTrue();
    }

    @Test
    void aNameIsAcceptedOnce() {
        created(1);
        assertThat(requests.create(execution(1))).isFalse();
    }

    @Test
    void aCancellationIsNotedOnceAndInTheFirstName() {
        created(1);
        assertThat(requests.cancel("ops", "e1", "bob", NOW)
                        .orElseThrow()
                        .value()
                        .cancelledBy())
                .hasValue("bob");
        assertThat(requests.cancel("ops", "e1", "eve", NOW)
                        .orElseThrow()
                        .value()
                        .cancelledBy())
                .hasValue("bob");
        assertThat(requests.cancel("ops", "none", "bob", NOW)).isEmpty();
    }

    @Test
    void whatIsOverIsNotCancelled() {
        Execution asked = created(1);
        store.apply(List.of(new Write.StatusOf(read(store, asked), running(asked))));
        store.apply(List.of(new Write.StatusOf(read(store, asked), completed(asked))));
        Versioned<Execution> before = read(store, asked);
        assertThat(requests.cancel("ops", "e1", "bob", NOW)).hasValue(before);
    }

    @Test
    void deletingTheExecutionThatBlocksResetsTheBlock() {
        created(1);
        put(blocked(execution(1)));
        assertThat(requests.delete("ops", "e1", "anna", NOW)).isPresent();
        assertThat(store.entry(NODE).value().memory().isEmpty()).isTrue();
        assertThat(requests.delete("ops", "e1", "anna", NOW)).isEmpty();
    }

    @Test
    void deletingResetsNothingWhereThePolicySaysSo() {
        created(1);
        put(blocked(execution(1)));
        requests(PolicyText.parse(Map.of("reset-on-delete", "false"))).delete("ops", "e1", "anna", NOW);
        assertThat(store.entry(NODE).value().memory().hasFailures()).isTrue();
    }

    @Test
    void aClearanceIsWrittenToTheLedgerAndToTheExecution() {
        Execution culprit = created(1);
        put(blocked(culprit));
        assertThat(requests.clear(NODE, CLEARANCE)).isPresent();
        assertThat(store.entry(NODE).value().memory().hasFailures()).isFalse();
        assertThat(store.entry(NODE).value().clearance()).hasValue(CLEARANCE);
        assertThat(read(store, culprit).value().clearance()).hasValue(CLEARANCE);
        assertThat(requests.clear(NODE, CLEARANCE)).isEmpty();
    }

    @Test
    void aBlockIsClearedAlsoWhenItsExecutionIsGone() {
        put(blocked(execution(1)));
        assertThat(requests.clear(NODE, CLEARANCE)).isPresent();
    }

    @Test
    void whatHasFailedCanBeClearedBeforeItsTargetIsReleased() {
        Execution culprit = created(1);
        put(held(culprit));
        store.apply(List.of(new Write.StatusOf(read(store, culprit), running(culprit))));
        assertThat(requests.clear(NODE, CLEARANCE))
                .describedAs("it is going on")
                .isEmpty();
        Failure failure =
                FailureClassifier.classify(new Subject("repair", "node/worker-1"), RunFacts.of(RunEnd.LOST, NOW));
        store.apply(List.of(new Write.StatusOf(
                read(store, culprit), running(culprit).fail(failure, new Outcome.FailedDuringExecution("Unknown")))));
        assertThat(requests.clear(NODE, CLEARANCE)).isPresent();
        assertThat(store.entry(NODE).value()).isInstanceOf(Free.class);
        assertThat(requests.explain("repair", NODE, NOW)).isInstanceOf(Decision.Admit.class);
        assertThat(read(store, culprit).value().clearance()).hasValue(CLEARANCE);
    }

    @Test
    void aQuestionChangesNothingAndSeesThroughAHolderThatIsOver() {
        assertThat(requests.explain("repair", NODE, NOW)).isInstanceOf(Decision.Admit.class);
        Execution holder = created(1);
        put(held(holder));
        store.apply(List.of(new Write.StatusOf(read(store, holder), running(holder))));
        assertThat(reason("other")).isEqualTo(SkipReason.ResourceBusy);
        store.apply(List.of(new Write.StatusOf(read(store, holder), completed(holder))));
        assertThat(requests.explain("other", NODE, NOW)).isInstanceOf(Decision.Admit.class);
        assertThat(reason("repair")).isEqualTo(SkipReason.RecentlyRemediated);
    }

    private SkipReason reason(String workflow) {
        return ((Decision.Skip) requests.explain(workflow, NODE, NOW)).reason();
    }
}
