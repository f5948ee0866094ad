package dev.escapement.kubernetes.journal;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.Progress;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.execution.Status;
import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.port.Versioned;
import dev.escapement.engine.port.Write;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.Holder;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import dev.escapement.governor.ledger.Outcome;
import dev.escapement.kubernetes.store.KubernetesStore;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What must have happened, judging by what is stored: the same transitions as those of the writes that led there. */
public final class Told {

    private static final Status.Pending PENDING = new Status.Pending();

    private Told() {}

    /**
     * The life of an execution so far, in order.
     *
     * @param now stands for the moment at which somebody cancelled it, if that is not stored and it goes on
     */
    public static List<Transition> of(Execution execution, Instant now) {
        return Stream.of(
                        Transition.of(new Write.Create(execution.with(PENDING))),
                        execution.cancelledBy().flatMap(by -> cancelled(execution, by, now)),
                        run(execution).flatMap(run -> becomes(execution, PENDING, run)),
                        execution.status() instanceof Status.Final ended
                                ? becomes(execution, PENDING, ended)
                                : Optional.<Transition>empty())
                .flatMap(Optional::stream)
                .toList();
    }

    /** That its target is free again; empty if it still holds it, never held it, or nobody can say. */
    public static Optional<Transition> released(Execution execution, LedgerEntry entry) {
        return execution.status() instanceof Status.Final ended
                        && held(ended)
                        && entry.heldBy(execution.ref()).isEmpty()
                ? released(execution, entry.target(), ended)
                : Optional.empty();
    }

    /** That the holder of a target holds it no more. */
    static Optional<Transition> released(Held before, Instant at) {
        return Transition.of(new Write.Entry(seen(before), before.release(new Outcome.Withdrawn(), at), at));
    }

    /** The last clearance of a target. */
    public static Optional<Transition> cleared(LedgerEntry entry) {
        return entry.clearance()
                .flatMap(clearance -> Transition.of(new Write.Entry(
                        seen(entry.with(entry.epoch(), entry.memory(), Optional.empty())), entry, clearance.at())));
    }

    private static Optional<Transition> cancelled(Execution execution, String by, Instant now) {
        Instant at = cancelledAt(execution).or(() -> end(execution)).orElse(now);
        return Transition.of(new Write.CancelOf(seen(execution), by, at));
    }

    /** Not later than that: or it would have been cancelled just now, whenever somebody looks. */
    private static Optional<Instant> end(Execution execution) {
        return execution.status() instanceof Status.Final ended
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

    private static Optional<Transition> becomes(Execution execution, Status before, Status after) {
        return Transition.of(new Write.StatusOf(seen(execution.with(before)), after));
    }

    /** The status that it had when its run was let go. */
    private static Optional<Status> run(Execution execution) {
        Status status = execution.status();
        if (status instanceof Status.Completed completed) {
            return Optional.of(running(completed.run(), completed.startTime()));
        } else if (status instanceof Status.Failed failed) {
            return failed.run().flatMap(run -> failed.startTime().map(start -> running(run, start)));
        }
        return Optional.of(status).filter(Status.Running.class::isInstance);
    }

    private static Status running(RunRef run, Instant start) {
        return PENDING.run(run, 0, start, Progress.NONE);
    }

    private static boolean held(Status.Final ended) {
        return ended instanceof Status.Completed
                || (ended instanceof Status.Failed failed
                        && (failed.run().isPresent() || failed.outcome() instanceof Outcome.FailedBeforeExecution));
    }

    private static Optional<Transition> released(Execution execution, Target target, Status.Final ended) {
        Held held = LedgerEntry.fresh(target)
                .acquire(new Holder(execution.ref(), execution.workflow(), "", "", ended.completionTime()));
        return Transition.of(new Write.Entry(
                seen(held), held.release(ended.outcome(), ended.completionTime()), ended.completionTime()));
    }

    private static <T> Versioned<T> seen(T value) {
        return new Versioned<>(value, Versioned.ABSENT);
    }
}
