package dev.escapement.kubernetes.event;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.execution.RunProgress;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.Target;
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

/** What must have happened, judging by what is stored: the same transitions as those of the writes that led there. */
public final class TransitionHistory {

    private static final ExecutionStatus.Pending PENDING = new ExecutionStatus.Pending();

    private TransitionHistory() {}

    /**
     * The life of an execution so far, in order.
     *
     * @param now stands for the moment at which somebody cancelled it, if that is not stored and it goes on
     */
    public static List<Transition> ofExecution(Execution execution, Instant now) {
        return Stream.of(
                        Transition.of(new StoreWrite.Creation(execution.withStatus(PENDING))),
                        execution.cancelledBy().flatMap(by -> cancellation(execution, by, now)),
                        runningStatusOf(execution).flatMap(run -> statusChange(execution, PENDING, run)),
                        execution.status() instanceof ExecutionStatus.Final ended
                                ? statusChange(execution, PENDING, ended)
                                : Optional.<Transition>empty())
                .flatMap(Optional::stream)
                .toList();
    }

    /** That its target is free again; empty if it still holds it, never held it, or nobody can say. */
    public static Optional<Transition> lockRelease(Execution execution, LedgerEntry entry) {
        return execution.status() instanceof ExecutionStatus.Final ended
                        && heldTarget(ended)
                        && entry.heldBy(execution.ref()).isEmpty()
                ? lockRelease(execution, entry.target(), ended)
                : Optional.empty();
    }

    /** That the holder of a target holds it no more. */
    static Optional<Transition> lockRelease(Held before, Instant at) {
        return Transition.of(
                new StoreWrite.EntryUpdate(asSeen(before), before.release(new ExecutionOutcome.Withdrawn(), at), at));
    }

    /** The last clearance of a target. */
    public static Optional<Transition> clearance(LedgerEntry entry) {
        return entry.clearance()
                .flatMap(clearance -> Transition.of(new StoreWrite.EntryUpdate(
                        asSeen(entry.withContents(entry.epoch(), entry.memory(), Optional.empty())),
                        entry,
                        clearance.at())));
    }

    private static Optional<Transition> cancellation(Execution execution, String by, Instant now) {
        Instant at = cancelledAt(execution).or(() -> endTime(execution)).orElse(now);
        return Transition.of(new StoreWrite.Cancellation(asSeen(execution), by, at));
    }

    /** Not later than that: or it would have been cancelled just now, whenever somebody looks. */
    private static Optional<Instant> endTime(Execution execution) {
        return execution.status() instanceof ExecutionStatus.Final ended
                ? Optional.of(ended.completionTime())
                : Optional.empty();
    }

    /** Whoever cancelled by other means than ours left no time. */
    private static Optional<Instant> cancelledAt(Execution execution) {
        try {
            return Optional.ofNullable(execution.metadata().annotations().get(KubernetesExecutionStore.CANCELLED_AT))
                    .map(Instant::parse);
        } catch (DateTimeParseException strange) {
            return Optional.empty();
        }
    }

    private static Optional<Transition> statusChange(
            Execution execution, ExecutionStatus before, ExecutionStatus after) {
        return Transition.of(new StoreWrite.StatusUpdate(asSeen(execution.withStatus(before)), after));
    }

    /** The status that it had when its run was let go. */
    private static Optional<ExecutionStatus> runningStatusOf(Execution execution) {
        ExecutionStatus status = execution.status();
        if (status instanceof ExecutionStatus.Completed completed) {
            return Optional.of(newRunningStatus(completed.run(), completed.startTime()));
        } else if (status instanceof ExecutionStatus.Failed failed) {
            return failed.run().flatMap(run -> failed.startTime().map(start -> newRunningStatus(run, start)));
        }
        return Optional.of(status).filter(ExecutionStatus.Running.class::isInstance);
    }

    private static ExecutionStatus newRunningStatus(RunRef run, Instant start) {
        return PENDING.toRunning(run, 0, start, RunProgress.UNKNOWN);
    }

    private static boolean heldTarget(ExecutionStatus.Final ended) {
        return ended instanceof ExecutionStatus.Completed
                || (ended instanceof ExecutionStatus.Failed failed
                        && (failed.run().isPresent()
                                || failed.outcome() instanceof ExecutionOutcome.FailedBeforeExecution));
    }

    private static Optional<Transition> lockRelease(Execution execution, Target target, ExecutionStatus.Final ended) {
        Held held = LedgerEntry.initial(target)
                .acquire(new Holder(execution.ref(), execution.workflowId(), "", "", ended.completionTime()));
        return Transition.of(new StoreWrite.EntryUpdate(
                asSeen(held), held.release(ended.outcome(), ended.completionTime()), ended.completionTime()));
    }

    private static <T> Versioned<T> asSeen(T value) {
        return new Versioned<>(value, Versioned.ABSENT);
    }
}
