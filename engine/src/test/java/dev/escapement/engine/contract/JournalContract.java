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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.Progress;
import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.journal.TransitionType;
import dev.escapement.engine.port.Journal;
import dev.escapement.engine.port.Store;
import dev.escapement.engine.port.Write;
import dev.escapement.governor.ledger.Clearance;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every transition is told once, in order, and only if it was made. */
public abstract class JournalContract {

    /** An empty store. */
    protected abstract Ports open() throws Exception;

    private Ports ports;
    private Store store;
    private Journal journal;

    @BeforeEach
    void openPorts() throws Exception {
        ports = open();
        store = ports.store();
        journal = ports.journal();
    }

    private List<Transition> told() {
        ports.nature().awaitJournal();
        return journal.read(Journal.START, 100).stream()
                .map(Journal.Entry::transition)
                .toList();
    }

    private List<TransitionType> types() {
        return told().stream().map(Transition::type).toList();
    }

    private Execution live(Execution asked) {
        Execution execution = ports.create(asked).value();
        store.apply(List.of(
                new Write.Entry(store.entry(NODE), held(execution), NOW),
                new Write.StatusOf(read(store, execution), running(execution))));
        store.apply(List.of(
                new Write.StatusOf(read(store, execution), completed(execution)),
                new Write.Entry(store.entry(NODE), blocked(execution), NOW)));
        ports.nature().awaitJournal();
        return execution;
    }

    @Test
    void aLifeIsToldInOrder() {
        Execution lived = live(execution(1));
        store.apply(List.of(new Write.DeleteOf(read(store, lived), "anna", NOW)));
        assertThat(types())
                .containsExactly(
                        TransitionType.WorkflowAccepted,
                        TransitionType.PipelineRunCreated,
                        TransitionType.WorkflowCompleted,
                        TransitionType.LockReleased,
                        TransitionType.ExecutionDeleted);
        assertThat(told()).allSatisfy(told -> {
            assertThat(told.execution()).hasValue(lived.ref());
            assertThat(told.target()).isEqualTo(NODE.canonical());
            assertThat(told.workflow()).isEqualTo("repair");
        });
    }

    @Test
    void aRecordIsReadAsItWasWritten() {
        Execution asked = ports.create(execution(1)).value();
        Write create = new Write.Create(asked);
        Write cancel = new Write.CancelOf(read(store, asked), "anna \"the\" admin", NOW);
        store.apply(List.of(cancel));
        assertThat(told())
                .containsExactly(
                        Transition.of(create).orElseThrow(),
                        Transition.of(cancel).orElseThrow());
    }

    @Test
    void aClearanceIsToldOfTheTarget() {
        store.apply(List.of(new Write.Entry(store.entry(NODE), blocked(execution(1)), NOW)));
        Clearance clearance = new Clearance("anna", "looked", NOW);
        store.apply(List.of(new Write.Entry(
                store.entry(NODE), store.entry(NODE).value().clear(clearance).orElseThrow(), NOW)));
        assertThat(types()).containsExactly(TransitionType.BlockCleared);
        assertThat(told().get(0).execution()).isEmpty();
    }

    @Test
    void progressIsNotATransition() {
        live(execution(1));
        int before = told().size();
        Execution second = ports.create(execution(2)).value();
        store.apply(List.of(new Write.StatusOf(read(store, second), running(second))));
        store.apply(
                List.of(new Write.StatusOf(read(store, second), running(second).at(new Progress(2, 3, "further")))));
        assertThat(told()).hasSize(before + 2);
    }

    @Test
    void whatWasNotMadeIsNotTold() {
        Execution asked = ports.create(execution(1)).value();
        var old = read(store, asked);
        store.apply(List.of(new Write.StatusOf(old, running(asked))));
        int before = told().size();
        assertThat(store.apply(List.of(new Write.StatusOf(old, completed(asked)))))
                .isFalse();
        assertThat(store.apply(List.of(new Write.Create(asked)))).isFalse();
        assertThat(told()).hasSize(before);
    }

    @Test
    void aReaderGoesOnWhereItWas() {
        live(execution(1));
        List<Transition> inSteps = new ArrayList<>();
        String position = Journal.START;
        for (List<Journal.Entry> part = journal.read(position, 1); !part.isEmpty(); part = journal.read(position, 1)) {
            assertThat(part).hasSize(1);
            inSteps.add(part.get(0).transition());
            position = part.get(0).position();
        }
        assertThat(inSteps).isEqualTo(told());
        assertThat(journal.read(journal.end(), 10)).isEmpty();
        ports.create(execution(9));
        ports.nature().awaitJournal();
        assertThat(journal.read(position, 10)).hasSize(1);
    }

    @Test
    void theEndOfAnEmptyJournalIsBeforeWhatComes() {
        String end = journal.end();
        ports.create(execution(1));
        ports.nature().awaitJournal();
        assertThat(journal.read(end, 10)).hasSize(1);
    }

    @Test
    void aSubscriberHearsThatSomethingCame() throws Exception {
        CountDownLatch heard = new CountDownLatch(1);
        try (Journal.Subscription subscription = journal.onAppend(() -> {
            if (!journal.read(Journal.START, 1).isEmpty()) {
                heard.countDown();
            }
        })) {
            store.apply(List.of(new Write.Create(execution(1))));
            assertThat(heard.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(Optional.of(subscription)).isPresent();
        }
    }

    @Test
    void whatIsNoPositionIsRefused() {
        assertThatThrownBy(() -> journal.read("nonsense", 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("nonsense");
    }
}
