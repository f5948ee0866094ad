package dev.escapement.engine.contract;

import static dev.escapement.engine.contract.ExecutionSamples.NODE;
import static dev.escapement.engine.contract.ExecutionSamples.NOW;
import static dev.escapement.engine.contract.ExecutionSamples.blockedEntry;
import static dev.escapement.engine.contract.ExecutionSamples.completedStatus;
import static dev.escapement.engine.contract.ExecutionSamples.execution;
import static dev.escapement.engine.contract.ExecutionSamples.heldEntry;
import static dev.escapement.engine.contract.ExecutionSamples.readExecution;
import static dev.escapement.engine.contract.ExecutionSamples.runningStatus;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.RunProgress;
import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.journal.TransitionType;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.port.Journal;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.governor.ledger.Clearance;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract of {@link Journal}: every applied transition once, in order. */
public abstract class JournalContract {

    /** Opens an empty store. */
    protected abstract ContractPorts open() throws Exception;

    private ContractPorts ports;
    private ExecutionStore store;
    private Journal journal;

    @BeforeEach
    void openPorts() throws Exception {
        ports = open();
        store = ports.store();
        journal = ports.journal();
    }

    private List<Transition> readTransitions() {
        ports.traits().awaitJournal();
        return journal.read(Journal.START, 100).stream()
                .map(Journal.Entry::transition)
                .toList();
    }

    private List<TransitionType> readTypes() {
        return readTransitions().stream().map(Transition::type).toList();
    }

    private Execution runToCompletion(Execution requested) {
        Execution execution = ports.create(requested).value();
        store.apply(List.of(
                new StoreWrite.EntryUpdate(store.readEntry(NODE), heldEntry(execution), NOW),
                new StoreWrite.StatusUpdate(readExecution(store, execution), runningStatus(execution))));
        store.apply(List.of(
                new StoreWrite.StatusUpdate(readExecution(store, execution), completedStatus(execution)),
                new StoreWrite.EntryUpdate(store.readEntry(NODE), blockedEntry(execution), NOW)));
        ports.traits().awaitJournal();
        return execution;
    }

    @Test
    void recordsTransitionsInOrder() {
        Execution completed = runToCompletion(execution(1));
        store.apply(List.of(new StoreWrite.Deletion(readExecution(store, completed), "anna", NOW)));
        assertThat(readTypes())
                .containsExactly(
                        TransitionType.WorkflowAccepted,
                        TransitionType.PipelineRunCreated,
                        TransitionType.WorkflowCompleted,
                        TransitionType.LockReleased,
                        TransitionType.ExecutionDeleted);
        assertThat(readTransitions()).allSatisfy(transition -> {
            assertThat(transition.execution()).hasValue(completed.ref());
            assertThat(transition.target()).isEqualTo(NODE.canonical());
            assertThat(transition.workflow()).isEqualTo("repair");
        });
    }

    @Test
    void readsTransitionsAsWritten() {
        Execution requested = ports.create(execution(1)).value();
        StoreWrite create = new StoreWrite.Creation(requested);
        StoreWrite cancel = new StoreWrite.Cancellation(readExecution(store, requested), "anna \"the\" admin", NOW);
        store.apply(List.of(cancel));
        assertThat(readTransitions())
                .containsExactly(
                        Transition.of(create).orElseThrow(),
                        Transition.of(cancel).orElseThrow());
    }

    @Test
    void recordsClearanceForTarget() {
        store.apply(List.of(new StoreWrite.EntryUpdate(store.readEntry(NODE), blockedEntry(execution(1)), NOW)));
        Clearance clearance = new Clearance("anna", "looked", NOW);
        store.apply(List.of(new StoreWrite.EntryUpdate(
                store.readEntry(NODE),
                store.readEntry(NODE).value().clear(clearance).orElseThrow(),
                NOW)));
        assertThat(readTypes()).containsExactly(TransitionType.BlockCleared);
        assertThat(readTransitions().get(0).execution()).isEmpty();
    }

    @Test
    void doesNotRecordProgress() {
        runToCompletion(execution(1));
        int before = readTransitions().size();
        Execution second = ports.create(execution(2)).value();
        store.apply(List.of(new StoreWrite.StatusUpdate(readExecution(store, second), runningStatus(second))));
        store.apply(List.of(new StoreWrite.StatusUpdate(
                readExecution(store, second), runningStatus(second).withProgress(new RunProgress(2, 3, "further")))));
        assertThat(readTransitions()).hasSize(before + 2);
    }

    @Test
    void doesNotRecordFailedWrite() {
        Execution requested = ports.create(execution(1)).value();
        var old = readExecution(store, requested);
        store.apply(List.of(new StoreWrite.StatusUpdate(old, runningStatus(requested))));
        int before = readTransitions().size();
        assertThat(store.apply(List.of(new StoreWrite.StatusUpdate(old, completedStatus(requested)))))
                .isFalse();
        assertThat(store.apply(List.of(new StoreWrite.Creation(requested)))).isFalse();
        assertThat(readTransitions()).hasSize(before);
    }

    @Test
    void readsOnFromPosition() {
        runToCompletion(execution(1));
        List<Transition> inSteps = new ArrayList<>();
        String position = Journal.START;
        for (List<Journal.Entry> part = journal.read(position, 1); !part.isEmpty(); part = journal.read(position, 1)) {
            assertThat(part).hasSize(1);
            inSteps.add(part.get(0).transition());
            position = part.get(0).position();
        }
        assertThat(inSteps).isEqualTo(readTransitions());
        assertThat(journal.read(journal.endPosition(), 10)).isEmpty();
        ports.create(execution(9));
        ports.traits().awaitJournal();
        assertThat(journal.read(position, 10)).hasSize(1);
    }

    @Test
    void endOfEmptyJournalPrecedesNextEntry() {
        String end = journal.endPosition();
        ports.create(execution(1));
        ports.traits().awaitJournal();
        assertThat(journal.read(end, 10)).hasSize(1);
    }

    @Test
    void notifiesSubscriberOnAppend() throws Exception {
        CountDownLatch notified = new CountDownLatch(1);
        try (Journal.Subscription subscription = journal.onAppend(() -> {
            if (!journal.read(Journal.START, 1).isEmpty()) {
                notified.countDown();
            }
        })) {
            store.apply(List.of(new StoreWrite.Creation(execution(1))));
            assertThat(notified.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(Optional.of(subscription)).isPresent();
        }
    }

    @Test
    void rejectsInvalidPosition() {
        assertThatThrownBy(() -> journal.read("invalid", 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("invalid");
    }
}
