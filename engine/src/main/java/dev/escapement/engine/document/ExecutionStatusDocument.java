package dev.escapement.engine.document;

import dev.escapement.backoff.DurationText;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.execution.RunProgress;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.governor.ledger.ExecutionOutcome;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** What became of an execution, as a document. */
final class ExecutionStatusDocument {

    private ExecutionStatusDocument() {}

    static DocumentTree write(Execution execution) {
        ExecutionStatus status = execution.status();
        DocumentTree tree = new DocumentTree().put("phase", status.phase()).put("observedGeneration", 1);
        if (status instanceof ExecutionStatus.Running running) {
            tree.put("startTime", running.startTime())
                    .put("pipelineRunRef", run(running.run()).put("epoch", running.epoch()))
                    .put("pipelineRunStatus", progress(running.progress(), "Running"));
        } else if (status instanceof ExecutionStatus.Completed completed) {
            ended(tree, "Success", Optional.of(completed.startTime()), completed.completionTime())
                    .put("pipelineRunRef", run(completed.run()))
                    .put("pipelineRunStatus", progress(completed.progress(), "Succeeded"));
        } else if (status instanceof ExecutionStatus.Failed failed) {
            ended(tree, "Failed", failed.startTime(), failed.completionTime())
                    .put("pipelineRunRef", failed.run().map(ref -> run(ref).fields()))
                    .put(
                            "pipelineRunStatus",
                            failed.run()
                                    .map(ref -> progress(failed.progress(), "Failed")
                                            .fields()))
                    .put("failureDetails", FailureDocument.write(failed.failure()));
            outcome(tree, failed.outcome());
        } else if (status instanceof ExecutionStatus.Skipped skipped) {
            tree.put("completionTime", skipped.completionTime())
                    .put("outcome", "Skipped")
                    .put("skipDetails", SkipDetailsDocument.write(execution, skipped.details()));
        }
        execution.clearance().ifPresent(given -> tree.put("blockClearance", TargetDocument.clearance(given)));
        return tree.put("conditions", StatusConditions.of(execution));
    }

    private static DocumentTree ended(DocumentTree tree, String outcome, Optional<Instant> start, Instant end) {
        return tree.put("outcome", outcome)
                .put("startTime", start)
                .put("completionTime", end)
                .put("duration", start.map(started -> duration(started, end)));
    }

    /** For people: the times have all their digits, and what is read back comes from them. */
    private static String duration(Instant start, Instant end) {
        Duration time = Duration.between(start, end).truncatedTo(ChronoUnit.MILLIS);
        // Clocks of several machines took part.
        return DurationText.format(time.isNegative() ? Duration.ZERO : time);
    }

    private static void outcome(DocumentTree tree, ExecutionOutcome outcome) {
        if (outcome instanceof ExecutionOutcome.FailedBeforeExecution before) {
            tree.put("consecutiveFailures", before.consecutiveFailures())
                    .put("nextAllowedExecution", before.nextAllowed());
        }
    }

    private static DocumentTree run(RunRef run) {
        return new DocumentTree().put("name", run.name()).put("uid", run.uid());
    }

    private static DocumentTree progress(RunProgress progress, String status) {
        return new DocumentTree()
                .put("status", status)
                .put("reason", progress.reason())
                .put("message", progress.message())
                .put("completedTasks", progress.completedTasks())
                .put("totalTasks", progress.totalTasks());
    }

    static ExecutionStatus read(DocumentFields status) {
        String phase = status.text("phase");
        return switch (phase) {
            case "", "Pending" -> new ExecutionStatus.Pending();
            case "Running" ->
                new ExecutionStatus.Running(
                        run(status.object("pipelineRunRef")),
                        status.object("pipelineRunRef").whole("epoch").orElse(0L),
                        ResourceDocument.instant(status, "startTime"),
                        progress(status));
            case "Completed" ->
                new ExecutionStatus.Completed(
                        run(status.object("pipelineRunRef")),
                        ResourceDocument.instant(status, "startTime"),
                        ResourceDocument.instant(status, "completionTime"),
                        progress(status));
            case "Failed" -> failed(status);
            case "Skipped" -> new ExecutionStatus.Skipped(SkipDetailsDocument.read(status.object("skipDetails")));
            default -> throw new IllegalArgumentException("status.phase is \"" + phase + "\": there is no such phase");
        };
    }

    private static ExecutionStatus failed(DocumentFields status) {
        var failure = FailureDocument.read(status.object("failureDetails"));
        return new ExecutionStatus.Failed(
                status.optionalObject("pipelineRunRef").map(ExecutionStatusDocument::run),
                status.instant("startTime"),
                progress(status),
                failure,
                outcome(status, failure.wasExecutionFailure(), failure.reason().name()));
    }

    /** An outcome is not stored twice: it follows from the failure and from whether it was counted. */
    private static ExecutionOutcome outcome(DocumentFields status, boolean during, String reason) {
        if (during) {
            return new ExecutionOutcome.FailedDuringExecution(reason);
        }
        return status.has("nextAllowedExecution")
                ? new ExecutionOutcome.FailedBeforeExecution(
                        reason,
                        status.count("consecutiveFailures"),
                        ResourceDocument.instant(status, "nextAllowedExecution"))
                : new ExecutionOutcome.Withdrawn();
    }

    private static RunRef run(DocumentFields ref) {
        return new RunRef(ref.text("name"), ref.text("uid"));
    }

    private static RunProgress progress(DocumentFields status) {
        DocumentFields progress = status.object("pipelineRunStatus");
        return new RunProgress(
                progress.count("completedTasks"),
                progress.count("totalTasks"),
                progress.text("message"),
                progress.text("reason"));
    }
}
