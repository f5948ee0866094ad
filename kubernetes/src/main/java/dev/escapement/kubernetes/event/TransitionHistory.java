package dev.escapement.kubernetes.event;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.execution.RunProgress;
import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.ledger.ExecutionOutcome;
import dev.escapement.governor.ledger.Holder;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import dev.escapement.kubernetes.store.KubernetesExecutionStore;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Reconstructs the transitions implied by stored state: the same ones as those of the writes that led to it. */
public final class TransitionHistory {

    private static final ExecutionStatus.Pending PENDING = new ExecutionStatus.Pending();

    private TransitionHistory() {}

    /**
     * Returns the transitions of an execution so far, in order.
     *
     * @param now the time of its cancellation if none is stored and the execution is not finished
     */
    public static List<Transition> ofExecution(Execution execution, Instant now) {
        return Stream.of(
                        Transition.of(new StoreWrite.Creation(execution.withStatus(PENDING))),
                        execution.cancelledBy().flatMap(by -> cancellation(execution, by, now)),
                        runningStatusOf(execution.status()).flatMap(run -> statusChange(execution, run)),
                        execution.status() instanceof ExecutionStatus.Final finalStatus
                                ? statusChange(execution, finalStatus)
                                : Optional.<Transition>empty())
                .flatMap(Optional::stream)
                .toList();
    }

    /**
     * Returns the release of the lock on its target; empty if the execution still holds it, never held it, or that is
     * unknown.
     */
    public static Optional<Transition> lockRelease(Execution execution, LedgerEntry entry) {
        if (!(execution.status() instanceof ExecutionStatus.Final finalStatus)
                || !heldTarget(finalStatus)
                || entry.heldBy(execution.ref()).isPresent()) {
            return Optional.empty();
        }
        Instant end = finalStatus.completionTime();
        Held held = LedgerEntry.initial(entry.target())
                .acquire(new Holder(execution.ref(), execution.workflowId(), "", "", end));
        return Transition.of(new StoreWrite.EntryUpdate(asSeen(held), finalStatus.release(held), end));
    }

    static Optional<Transition> lockRelease(Held before, Instant at) {
        return Transition.of(
                new StoreWrite.EntryUpdate(asSeen(before), before.release(new ExecutionOutcome.Withdrawn(), at), at));
    }

    /** Returns the last clearance of a target. */
    public static Optional<Transition> clearance(LedgerEntry entry) {
        return entry.clearance()
                .flatMap(clearance -> Transition.of(new StoreWrite.EntryUpdate(
                        asSeen(entry.withContents(entry.epoch(), entry.memory(), Optional.empty())),
                        entry,
                        clearance.at())));
    }

    /** A cancellation without a time cannot be later than the end of its execution. */
    private static Optional<Transition> cancellation(Execution execution, String by, Instant now) {
        Instant latest =
                execution.status() instanceof ExecutionStatus.Final finalStatus ? finalStatus.completionTime() : now;
        Instant at = cancelledAt(execution).orElse(latest);
        return Transition.of(new StoreWrite.Cancellation(asSeen(execution), by, at));
    }

    /** Returns empty if the cancellation did not come through Escapement, which stores its time. */
    private static Optional<Instant> cancelledAt(Execution execution) {
        try {
            return Optional.ofNullable(execution.metadata().annotations().get(KubernetesExecutionStore.CANCELLED_AT))
                    .map(Instant::parse);
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    private static Optional<Transition> statusChange(Execution execution, ExecutionStatus after) {
        return Transition.of(new StoreWrite.StatusUpdate(asSeen(execution.withStatus(PENDING)), after));
    }

    /** Returns the status that the execution had when its run was started. */
    private static Optional<ExecutionStatus> runningStatusOf(ExecutionStatus status) {
        return status.runRef()
                .flatMap(
                        run -> status.acquiredAt().map(start -> PENDING.toRunning(run, 0, start, RunProgress.UNKNOWN)));
    }

    private static boolean heldTarget(ExecutionStatus.Final finalStatus) {
        return finalStatus.runRef().isPresent()
                || finalStatus.outcome() instanceof ExecutionOutcome.FailedBeforeExecution;
    }

    private static <T> Versioned<T> asSeen(T value) {
        return new Versioned<>(value, Versioned.ABSENT);
    }
}
