package dev.escapement.engine.journal;

import static dev.escapement.engine.journal.TransitionType.BlockCleared;
import static dev.escapement.engine.journal.TransitionType.CancellationRequested;
import static dev.escapement.engine.journal.TransitionType.ExecutionDeleted;
import static dev.escapement.engine.journal.TransitionType.LockReleased;
import static dev.escapement.engine.journal.TransitionType.PipelineRunCreated;
import static dev.escapement.engine.journal.TransitionType.WorkflowAccepted;
import static dev.escapement.engine.journal.TransitionType.WorkflowCompleted;
import static dev.escapement.engine.journal.TransitionType.WorkflowFailed;
import static dev.escapement.engine.journal.TransitionType.WorkflowSkipped;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.Status;
import dev.escapement.engine.port.Write;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.Clearance;
import dev.escapement.governor.ledger.Holder;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.Outcome;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** From writes to transitions. */
final class Transitions {

    private Transitions() {}

    static Optional<Transition> of(Write write) {
        if (write instanceof Write.Create create) {
            Execution asked = create.next();
            return Optional.of(about(asked, WorkflowAccepted, asked.createdAt(), "accepted"));
        } else if (write instanceof Write.StatusOf status) {
            return of(status.seen().value(), status.next());
        } else if (write instanceof Write.Entry entry) {
            return of(entry.seen().value(), entry.next(), entry.at());
        } else if (write instanceof Write.CancelOf cancel) {
            return Optional.of(about(
                            cancel.seen().value(),
                            CancellationRequested,
                            cancel.at(),
                            cancel.by() + " asks for it to stop")
                    .with(Detail.BY, cancel.by()));
        } else if (write instanceof Write.DeleteOf delete) {
            return Optional.of(about(delete.seen().value(), ExecutionDeleted, delete.at(), "deleted by " + delete.by())
                    .with(Detail.BY, delete.by()));
        }
        // The clearance itself is told by the entry.
        return Optional.empty();
    }

    private static Optional<Transition> of(Execution before, Status next) {
        if (before.status().phase().equals(next.phase())) {
            return Optional.empty();
        } else if (next instanceof Status.Running running) {
            String name = running.run().name();
            return Optional.of(about(before, PipelineRunCreated, running.startTime(), "run " + name + " is let go")
                    .with(Detail.RUN, name));
        } else if (next instanceof Status.Completed completed) {
            Transition told = about(before, WorkflowCompleted, completed.completionTime(), "completed");
            return Optional.of(told.with(Detail.SECONDS, seconds(completed.duration())));
        } else if (next instanceof Status.Skipped skipped) {
            return Optional.of(skipped(before, skipped.details()));
        } else if (next instanceof Status.Failed failed) {
            return Optional.of(failed(before, failed));
        }
        return Optional.empty();
    }

    private static Transition skipped(Execution execution, Status.SkipDetails details) {
        return about(execution, WorkflowSkipped, details.skippedAt(), details.message())
                .because(details.reason().name())
                .with(Detail.CONFLICTING, details.conflicting().map(Holder::execution))
                .with(Detail.RECENT, details.recent().map(past -> past.execution()))
                .with(
                        Detail.RECENT_OUTCOME,
                        details.recent().map(past -> past.reason().isEmpty() ? "Completed" : "Failed"))
                .with(Detail.NEXT_ALLOWED, details.allowedAt());
    }

    private static Transition failed(Execution execution, Status.Failed failed) {
        Transition told = about(
                        execution,
                        WorkflowFailed,
                        failed.completionTime(),
                        failed.failure().message())
                .because(failed.failure().reason().name())
                .with(Detail.DURING, Boolean.toString(failed.failure().wasExecutionFailure()))
                .with(
                        Detail.SECONDS,
                        failed.startTime().map(start -> seconds(Duration.between(start, failed.completionTime()))));
        return failed.outcome() instanceof Outcome.FailedBeforeExecution before
                ? told.with(Detail.FAILURES, Integer.toString(before.consecutiveFailures()))
                        .with(Detail.NEXT_ALLOWED, before.nextAllowed().toString())
                : told;
    }

    private static Optional<Transition> of(LedgerEntry before, LedgerEntry next, Instant at) {
        Optional<Clearance> clearance =
                next.clearance().filter(given -> !before.clearance().equals(Optional.of(given)));
        if (clearance.isPresent()) {
            return clearance.map(given -> cleared(next, given));
        }
        return before instanceof LedgerEntry.Held held && next instanceof LedgerEntry.Free
                ? Optional.of(released(held.holder(), next, at))
                : Optional.empty();
    }

    private static Transition released(Holder holder, LedgerEntry free, Instant at) {
        String target = free.target().canonical();
        return Transition.of(
                LockReleased, at, holder.execution(), holder.workflow(), target, target + " is no longer held");
    }

    private static Transition cleared(LedgerEntry entry, Clearance clearance) {
        return new Transition(
                        BlockCleared,
                        clearance.at(),
                        Optional.empty(),
                        "",
                        entry.target().canonical(),
                        "",
                        "cleared by " + clearance.by() + ": " + clearance.reason(),
                        new TreeMap<>(Map.of()))
                .with(Detail.BY, clearance.by());
    }

    private static Transition about(Execution execution, TransitionType type, Instant at, String message) {
        String written = execution.spec().targetResource();
        return Transition.of(
                        type,
                        at,
                        execution.ref(),
                        execution.workflow(),
                        Target.parsed(written).map(Target::canonical).orElse(written),
                        message)
                .with(Detail.REMEDIATION, execution.spec().remediationRequest());
    }

    private static String seconds(Duration duration) {
        return BigDecimal.valueOf(duration.toMillis(), 3).toPlainString();
    }
}
