package dev.escapement.engine.document;

import dev.escapement.backoff.DurationText;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.Progress;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.execution.Status;
import dev.escapement.governor.ledger.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** What became of an execution, as a document. */
final class StatusDocument {

    private StatusDocument() {}

    static Tree write(Execution execution) {
        Status status = execution.status();
        Tree tree = new Tree().put("phase", status.phase()).put("observedGeneration", 1);
        if (status instanceof Status.Running running) {
            tree.put("startTime", running.startTime())
                    .put("pipelineRunRef", run(running.run()).put("epoch", running.epoch()))
                    .put("pipelineRunStatus", progress(running.progress(), "Running"));
        } else if (status instanceof Status.Completed completed) {
            ended(tree, "Success", Optional.of(completed.startTime()), completed.completionTime())
                    .put("pipelineRunRef", run(completed.run()))
                    .put("pipelineRunStatus", progress(completed.progress(), "Succeeded"));
        } else if (status instanceof Status.Failed failed) {
            ended(tree, "Failed", failed.startTime(), failed.completionTime())
                    .put("pipelineRunRef", failed.run().map(ref -> run(ref).fields()))
                    .put(
                            "pipelineRunStatus",
                            failed.run()
                                    .map(ref -> progress(failed.progress(), "Failed")
                                            .fields()))
                    .put("failureDetails", FailureDocument.write(failed.failure()));
            outcome(tree, failed.outcome());
        } else if (status instanceof Status.Skipped skipped) {
            tree.put("completionTime", skipped.completionTime())
                    .put("outcome", "Skipped")
                    .put("skipDetails", SkipDocument.write(execution, skipped.details()));
        }
        execution.clearance().ifPresent(given -> tree.put("blockClearance", TargetDocument.clearance(given)));
        return tree.put("conditions", Conditions.of(execution));
    }

    private static Tree ended(Tree tree, String outcome, Optional<Instant> start, Instant end) {
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

    private static void outcome(Tree tree, Outcome outcome) {
        if (outcome instanceof Outcome.FailedBeforeExecution before) {
            tree.put("consecutiveFailures", before.consecutiveFailures())
                    .put("nextAllowedExecution", before.nextAllowed());
        }
    }

    private static Tree run(RunRef run) {
        return new Tree().put("name", run.name()).put("uid", run.uid());
    }

    private static Tree progress(Progress progress, String status) {
        return new Tree()
                .put("status", status)
                .put("reason", progress.reason())
                .put("message", progress.message())
                .put("completedTasks", progress.completedTasks())
                .put("totalTasks", progress.totalTasks());
    }

    static Status read(Fields status) {
        String phase = status.text("phase");
        return switch (phase) {
            case "", "Pending" -> new Status.Pending();
            case "Running" ->
                new Status.Running(
                        run(status.object("pipelineRunRef")),
                        status.object("pipelineRunRef").whole("epoch").orElse(0L),
                        Resource.instant(status, "startTime"),
                        progress(status));
            case "Completed" ->
                new Status.Completed(
                        run(status.object("pipelineRunRef")),
                        Resource.instant(status, "startTime"),
                        Resource.instant(status, "completionTime"),
                        progress(status));
            case "Failed" -> failed(status);
            case "Skipped" -> new Status.Skipped(SkipDocument.read(status.object("skipDetails")));
            default -> throw new IllegalArgumentException("status.phase is \"" + phase + "\": there is no such phase");
        };
    }

    private static Status failed(Fields status) {
        var failure = FailureDocument.read(status.object("failureDetails"));
        return new Status.Failed(
                status.optionalObject("pipelineRunRef").map(StatusDocument::run),
                status.instant("startTime"),
                progress(status),
                failure,
                outcome(status, failure.wasExecutionFailure(), failure.reason().name()));
    }

    /** An outcome is not stored twice: it follows from the failure and from whether it was counted. */
    private static Outcome outcome(Fields status, boolean during, String reason) {
        if (during) {
            return new Outcome.FailedDuringExecution(reason);
        }
        return status.has("nextAllowedExecution")
                ? new Outcome.FailedBeforeExecution(
                        reason, status.count("consecutiveFailures"), Resource.instant(status, "nextAllowedExecution"))
                : new Outcome.Withdrawn();
    }

    private static RunRef run(Fields ref) {
        return new RunRef(ref.text("name"), ref.text("uid"));
    }

    private static Progress progress(Fields status) {
        Fields progress = status.object("pipelineRunStatus");
        return new Progress(
                progress.count("completedTasks"),
                progress.count("totalTasks"),
                progress.text("message"),
                progress.text("reason"));
    }
}
