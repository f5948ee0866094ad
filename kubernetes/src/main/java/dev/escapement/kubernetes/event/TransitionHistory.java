package dev.escapement.kubernetes.event;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.execution.RunProgress;
import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.failure.FailureReason;
import dev.escapement.governor.ledger.ExecutionOutcome;
import dev.escapement.governor.ledger.Holder;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import dev.escapement.governor.ledger.TargetMemory;
import dev.escapement.kubernetes.store.KubernetesExecutionStore;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Reconstructs the transitions implied by stored state: the same ones as those of the writes that led to it. */
public final class TransitionHistory {

    private static final ExecutionStatus.Pending PENDING = new ExecutionStatus.Pending();

    /** Between the machines of a cluster. */
    private static final Duration MAX_CLOCK_DIFFERENCE = Duration.ofMinutes(5);

    private TransitionHistory() {}

    /**
     * Returns the transitions of an execution so far, in order.
     *
     * @param now the time of its cancellation if none is stored and the execution is not finished
     */
    public static List<Transition> ofExecution(Execution execution, Instant now) {
        return Stream.of(
                        Transition.of(new StoreWrite.Creation(execution.withStatus(PENDING))),
                        execution.status() instanceof ExecutionStatus.Pending pending
                                ? statusChange(execution, pending)
                                : Optional.<Transition>empty(),
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
        Holder holder = new Holder(execution.ref(), execution.workflowId(), "", "", end);
        Held held = new Held(entry.target(), entry.epoch(), TargetMemory.EMPTY, Optional.empty(), holder);
        StoreWrite release = new StoreWrite.EntryUpdate(asSeen(held), finalStatus.release(held), end);
        StoreWrite status = new StoreWrite.StatusUpdate(asSeen(execution), finalStatus);
        return Transition.of(release, List.of(status, release));
    }

    /** @param holder names the remediation; empty if the execution was deleted */
    static Optional<Transition> lockRelease(Held before, Optional<Execution> holder, Instant at) {
        StoreWrite release =
                new StoreWrite.EntryUpdate(asSeen(before), before.release(new ExecutionOutcome.Withdrawn(), at), at);
        return Transition.of(
                release,
                holder
                        .<StoreWrite>map(
                                execution -> new StoreWrite.StatusUpdate(asSeen(execution), execution.status()))
                        .stream()
                        .toList());
    }

    /**
     * Returns the last clearance of a target.
     *
     * @param executions those of the target; the ones that were cleared with it are named, with their remediations
     */
    public static Optional<Transition> clearance(LedgerEntry entry, Stream<Execution> executions) {
        return entry.clearance().flatMap(clearance -> {
            StoreWrite update = new StoreWrite.EntryUpdate(
                    asSeen(entry.withContents(entry.epoch(), entry.memory(), Optional.empty())), entry, clearance.at());
            List<StoreWrite> cleared = executions
                    .filter(execution -> execution.clearance().equals(Optional.of(clearance)))
                    .sorted(Comparator.comparing(execution -> execution.ref().toString()))
                    .<StoreWrite>map(execution -> new StoreWrite.ClearanceUpdate(asSeen(execution), clearance))
                    .toList();
            return Transition.of(update, cleared);
        });
    }

    /** A cancellation without a time cannot be later than the end of its execution. */
    private static Optional<Transition> cancellation(Execution execution, String by, Instant now) {
        Instant latest =
                execution.status() instanceof ExecutionStatus.Final finalStatus ? finalStatus.completionTime() : now;
        Instant at = cancelledAt(execution, now).orElse(latest);
        return Transition.of(new StoreWrite.Cancellation(asSeen(execution), by, at));
    }

    /**
     * Returns empty if the cancellation did not come through Escapement, which stores its time, or if the time is
     * impossible: users can write it.
     */
    private static Optional<Instant> cancelledAt(Execution execution, Instant now) {
        try {
            return Optional.ofNullable(execution.metadata().annotations().get(KubernetesExecutionStore.CANCELLED_AT))
                    .map(Instant::parse)
                    .filter(at -> at.isAfter(execution.createdAt().minus(MAX_CLOCK_DIFFERENCE))
                            && at.isBefore(now.plus(MAX_CLOCK_DIFFERENCE)));
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

    /** An invalid request is counted without holding the target. */
    private static boolean heldTarget(ExecutionStatus.Final finalStatus) {
        return finalStatus.runRef().isPresent()
                || (finalStatus.outcome() instanceof ExecutionOutcome.FailedBeforeExecution failed
                        && !failed.reason().equals(FailureReason.ValidationError.name()));
    }

    private static <T> Versioned<T> asSeen(T value) {
        return new Versioned<>(value, Versioned.ABSENT);
    }
}
