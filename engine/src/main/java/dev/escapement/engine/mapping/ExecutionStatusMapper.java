package dev.escapement.engine.mapping;

import static dev.escapement.engine.mapping.FieldParser.count;
import static dev.escapement.engine.mapping.FieldParser.number;
import static dev.escapement.engine.mapping.FieldParser.orNull;
import static dev.escapement.engine.mapping.FieldParser.text;

import dev.escapement.api.execution.WorkflowExecutionStatus;
import dev.escapement.api.execution.WorkflowExecutionStatus.Condition;
import dev.escapement.api.execution.WorkflowExecutionStatus.PipelineRunReference;
import dev.escapement.api.execution.WorkflowExecutionStatus.PipelineRunStatus;
import dev.escapement.backoff.DurationText;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.execution.ExecutionStatus.Completed;
import dev.escapement.engine.execution.ExecutionStatus.Failed;
import dev.escapement.engine.execution.ExecutionStatus.Pending;
import dev.escapement.engine.execution.ExecutionStatus.PendingDetails;
import dev.escapement.engine.execution.ExecutionStatus.Running;
import dev.escapement.engine.execution.ExecutionStatus.Skipped;
import dev.escapement.engine.execution.RunProgress;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.governor.failure.Failure;
import dev.escapement.governor.ledger.ExecutionOutcome;
import dev.escapement.governor.ledger.ExecutionOutcome.FailedBeforeExecution;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Maps what became of an execution. */
final class ExecutionStatusMapper {

    private static final WorkflowExecutionStatus NEW = new WorkflowExecutionStatus(
            null, null, null, null, null, null, null, null, null, null, null, null, null, null, List.of(), Map.of());
    private static final PipelineRunReference NO_RUN = new PipelineRunReference(null, null, null, null, null, Map.of());

    private ExecutionStatusMapper() {}

    static WorkflowExecutionStatus toRecord(Execution execution) {
        ExecutionStatus status = execution.status();
        Optional<Instant> start = status.acquiredAt();
        Optional<Instant> end =
                status instanceof ExecutionStatus.Final ended ? Optional.of(ended.completionTime()) : Optional.empty();
        Optional<RunRef> run = status.runRef();
        Optional<FailedBeforeExecution> counted =
                status instanceof Failed failed && failed.outcome() instanceof FailedBeforeExecution before
                        ? Optional.of(before)
                        : Optional.empty();
        String target = execution.spec().targetResource();
        return new WorkflowExecutionStatus(
                status.phase(),
                1L,
                outcome(status),
                orNull(start),
                orNull(end),
                orNull(start.flatMap(from -> end.map(to -> duration(from, to)))),
                run.map(ref -> reference(ref, status)).orElse(null),
                run.isPresent() ? runStatus(status) : null,
                status instanceof Failed failed ? DetailsMapper.toRecord(failed.failure()) : null,
                status instanceof Skipped skipped ? DetailsMapper.toRecord(skipped.details(), target) : null,
                status instanceof Pending pending
                        ? pending.details().map(DetailsMapper::toRecord).orElse(null)
                        : null,
                counted.map(before -> (long) before.consecutiveFailures()).orElse(null),
                orNull(counted.flatMap(FailedBeforeExecution::nextAllowed)),
                execution.clearance().map(DetailsMapper::toRecord).orElse(null),
                conditions(execution),
                execution.metadata().unknownFields().status());
    }

    /** The status as conditions, for {@code kubectl wait}: has it finished, has it succeeded, is it delayed? */
    private static List<Condition> conditions(Execution execution) {
        ExecutionStatus status = execution.status();
        String reason = status.phase();
        String message = "";
        if (status instanceof Failed failed) {
            reason = failed.failure().reason().name();
            message = failed.failure().message();
        } else if (status instanceof Skipped skipped) {
            reason = skipped.details().reason().name();
            message = skipped.details().message();
        }
        String finished = "False";
        String succeeded = "Unknown";
        // Does not change while an execution waits or runs.
        String since = execution.createdAt().toString();
        if (status instanceof ExecutionStatus.Final ended) {
            since = ended.completionTime().toString();
            finished = "True";
            succeeded = status instanceof Completed ? "True" : "False";
        }
        Stream<Condition> result = Stream.of(
                new Condition("Succeeded", succeeded, reason, message, since, Map.of()),
                new Condition("Finished", finished, reason, message, since, Map.of()));
        return Stream.concat(result, pendingCondition(status).stream()).toList();
    }

    /** Only an execution that is delayed has this condition. */
    private static Optional<Condition> pendingCondition(ExecutionStatus status) {
        Optional<PendingDetails> details = status instanceof Pending pending ? pending.details() : Optional.empty();
        return details.map(known -> new Condition(
                "Pending",
                "True",
                known.reason().name(),
                known.message(),
                known.since().toString(),
                Map.of()));
    }

    private static @Nullable String outcome(ExecutionStatus status) {
        if (status instanceof Completed) {
            return "Success";
        }
        return status instanceof ExecutionStatus.Final ? status.phase() : null;
    }

    /** For people: the times have all their digits, and what is read back comes from them. */
    private static String duration(Instant start, Instant end) {
        Duration time = Duration.between(start, end).truncatedTo(ChronoUnit.MILLIS);
        // Clocks of several machines took part.
        return DurationText.format(time.isNegative() ? Duration.ZERO : time);
    }

    private static PipelineRunReference reference(RunRef run, ExecutionStatus status) {
        Long epoch = status instanceof Running running ? running.epoch() : null;
        return RunReferenceMapper.toRecord(run, epoch);
    }

    private static PipelineRunStatus runStatus(ExecutionStatus status) {
        RunProgress progress = status.progress();
        String state = status instanceof Completed ? "Succeeded" : status.phase();
        long completed = progress.completedTasks();
        long total = progress.totalTasks();
        return new PipelineRunStatus(state, progress.reason(), progress.message(), completed, total, Map.of());
    }

    static ExecutionStatus fromRecord(FieldParser parser, @Nullable WorkflowExecutionStatus document) {
        WorkflowExecutionStatus status = document == null ? NEW : document;
        String phase = text(status.phase());
        PipelineRunReference run = Optional.ofNullable(status.pipelineRunRef()).orElse(NO_RUN);
        return switch (phase) {
            case "", "Pending" -> new Pending(DetailsMapper.pendingFromRecord(parser, status.pendingDetails()));
            case "Running" ->
                new Running(runRef(run), number(run.epoch()), startTime(parser, status), runProgress(status));
            case "Completed" ->
                new Completed(
                        runRef(run),
                        startTime(parser, status),
                        parser.instant("status.completionTime", status.completionTime()),
                        runProgress(status));
            case "Failed" -> failed(parser, status);
            case "Skipped" -> new Skipped(DetailsMapper.skipFromRecord(parser, status.skipDetails()));
            default -> throw new IllegalArgumentException("status.phase is \"" + phase + "\": there is no such phase");
        };
    }

    private static Instant startTime(FieldParser parser, WorkflowExecutionStatus status) {
        return parser.instant("status.startTime", status.startTime());
    }

    private static Failed failed(FieldParser parser, WorkflowExecutionStatus status) {
        Failure failure = DetailsMapper.failureFromRecord(parser, status.failureDetails());
        return new Failed(
                Optional.ofNullable(status.pipelineRunRef()).map(ExecutionStatusMapper::runRef),
                parser.optionalInstant("status.startTime", status.startTime()),
                runProgress(status),
                failure,
                outcome(parser, status, failure));
    }

    /** An outcome is not stored twice: it follows from the failure and from whether it was counted. */
    private static ExecutionOutcome outcome(FieldParser parser, WorkflowExecutionStatus status, Failure failure) {
        String reason = failure.reason().name();
        if (failure.wasExecutionFailure()) {
            return new ExecutionOutcome.FailedDuringExecution(reason);
        }
        if (status.consecutiveFailures() == null) {
            return new ExecutionOutcome.Withdrawn();
        }
        Optional<Instant> nextAllowed =
                parser.optionalInstant("status.nextAllowedExecution", status.nextAllowedExecution());
        int number = Math.max(1, count(status.consecutiveFailures()));
        return FailedBeforeExecution.restore(reason, failure.failedAt(), number, nextAllowed);
    }

    private static RunRef runRef(PipelineRunReference run) {
        return RunReferenceMapper.fromRecord(run).orElseGet(() -> new RunRef(text(run.name()), text(run.uid())));
    }

    private static RunProgress runProgress(WorkflowExecutionStatus status) {
        return Optional.ofNullable(status.pipelineRunStatus())
                .map(run -> new RunProgress(
                        count(run.completedTasks()), count(run.totalTasks()), text(run.message()), text(run.reason())))
                .orElse(RunProgress.UNKNOWN);
    }
}
