package dev.escapement.kubernetes.journal;

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
import dev.escapement.kubernetes.store.KubernetesStore;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What must have happened, judging by what is stored: the same transitions as those of the writes that led there. */
public final class Told {

    private static final ExecutionStatus.Pending PENDING = new ExecutionStatus.Pending();

    private Told() {}

    /**
     * The life of an execution so far, in order.
     *
     * @param now stands for the moment at which somebody cancelled it, if that is not stored and it goes on
     */
    public static List<Transition> of(Execution execution, Instant now) {
        return Stream.of(
                        Transition.of(new StoreWrite.Creation(execution.withStatus(PENDING))),
                        execution.cancelledBy().flatMap(by -> cancelled(execution, by, now)),
                        run(execution).flatMap(run -> becomes(execution, PENDING, run)),
                        execution.status() instanceof ExecutionStatus.Final ended
                                ? becomes(execution, PENDING, ended)
                                : Optional.<Transition>empty())
                .flatMap(Optional::stream)
                .toList();
    }

    /** That its target is free again; empty if it still holds it, never held it, or nobody can say. */
    public static Optional<Transition> released(Execution execution, LedgerEntry entry) {
        return execution.status() instanceof ExecutionStatus.Final ended
                        && held(ended)
                        && entry.heldBy(execution.ref()).isEmpty()
                ? released(execution, entry.target(), ended)
                : Optional.empty();
    }

    /** That the holder of a target holds it no more. */
    static Optional<Transition> released(Held before, Instant at) {
        return Transition.of(
                new StoreWrite.EntryUpdate(seen(before), before.release(new ExecutionOutcome.Withdrawn(), at), at));
    }

    /** The last clearance of a target. */
    public static Optional<Transition> cleared(LedgerEntry entry) {
        return entry.clearance()
                .flatMap(clearance -> Transition.of(new StoreWrite.EntryUpdate(
                        seen(entry.withContents(entry.epoch(), entry.memory(), Optional.empty())),
                        entry,
                        clearance.at())));
    }

    private static Optional<Transition> cancelled(Execution execution, String by, Instant now) {
        Instant at = cancelledAt(execution).or(() -> end(execution)).orElse(now);
        return Transition.of(new StoreWrite.Cancellation(seen(execution), by, at));
    }

    /** Not later than that: or it would have been cancelled just now, whenever somebody looks. */
    private static Optional<Instant> end(Execution execution) {
        return execution.status() instanceof ExecutionStatus.Final ended
                ? Optional.of(ended.completionTime())
                : Optional.empty();
    }

    /** Whoever cancelled by other means than ours left no time. */
    private static Optional<Instant> cancelledAt(Execution execution) {
        try {
            return Optional.ofNullable(execution.metadata().annotations().get(KubernetesStore.CANCELLED_AT))
                    .map(Instant::parse);
        } catch (DateTimeParseException strange) {
            return Optional.empty();
        }
    }

    private static Optional<Transition> becomes(Execution execution, ExecutionStatus before, ExecutionStatus after) {
        return Transition.of(new StoreWrite.StatusUpdate(seen(execution.withStatus(before)), after));
    }

    /** The status that it had when its run was let go. */
    private static Optional<ExecutionStatus> run(Execution execution) {
        ExecutionStatus status = execution.status();
        if (status instanceof ExecutionStatus.Completed completed) {
            return Optional.of(running(completed.run(), completed.startTime()));
        } else if (status instanceof ExecutionStatus.Failed failed) {
            return failed.run().flatMap(run -> failed.startTime().map(start -> running(run, start)));
        }
        return Optional.of(status).filter(ExecutionStatus.Running.class::isInstance);
    }

    private static ExecutionStatus running(RunRef run, Instant start) {
        return PENDING.toRunning(run, 0, start, RunProgress.UNKNOWN);
    }

    private static boolean held(ExecutionStatus.Final ended) {
        return ended instanceof ExecutionStatus.Completed
                || (ended instanceof ExecutionStatus.Failed failed
                        && (failed.run().isPresent()
                                || failed.outcome() instanceof ExecutionOutcome.FailedBeforeExecution));
    }

    private static Optional<Transition> released(Execution execution, Target target, ExecutionStatus.Final ended) {
        Held held = LedgerEntry.initial(target)
                .acquire(new Holder(execution.ref(), execution.workflowId(), "", "", ended.completionTime()));
        return Transition.of(new StoreWrite.EntryUpdate(
                seen(held), held.release(ended.outcome(), ended.completionTime()), ended.completionTime()));
    }

    private static <T> Versioned<T> seen(T value) {
        return new Versioned<>(value, Versioned.ABSENT);
    }
}
