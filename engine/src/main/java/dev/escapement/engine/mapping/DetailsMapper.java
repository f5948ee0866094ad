package dev.escapement.engine.mapping;

import static dev.escapement.engine.mapping.FieldParser.optionalText;
import static dev.escapement.engine.mapping.FieldParser.orNull;
import static dev.escapement.engine.mapping.FieldParser.text;

import dev.escapement.api.execution.WorkflowExecutionStatus.FailureDetails;
import dev.escapement.api.execution.WorkflowExecutionStatus.PendingDetails;
import dev.escapement.api.execution.WorkflowExecutionStatus.SkipDetails;
import dev.escapement.api.target.RemediationTargetStatus.ClearanceRecord;
import dev.escapement.api.target.RemediationTargetStatus.PastExecution;
import dev.escapement.api.target.RemediationTargetStatus.TargetHolder;
import dev.escapement.backoff.DurationText;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.execution.ExecutionStatus.PendingReason;
import dev.escapement.governor.failure.Failure;
import dev.escapement.governor.failure.FailureReason;
import dev.escapement.governor.failure.StartStatus;
import dev.escapement.governor.gate.SkipReason;
import dev.escapement.governor.ledger.Clearance;
import dev.escapement.governor.ledger.EndedExecution;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.Holder;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Maps the details of executions and targets: who holds or held a target, its clearance, a failure, a skip. */
final class DetailsMapper {

    private static final FailureDetails NO_FAILURE =
            new FailureDetails(null, null, null, null, null, null, null, null, null, null, null, Map.of());
    private static final SkipDetails NO_SKIP = new SkipDetails(null, null, null, null, null, null, Map.of());

    private DetailsMapper() {}

    static FailureDetails toRecord(Failure failure) {
        return new FailureDetails(
                failure.reason().name(),
                failure.message(),
                failure.failedAt().toString(),
                failure.failedTaskName().orElse(null),
                failure.failedTaskIndex().map(Integer::longValue).orElse(null),
                failure.failedStepName().orElse(null),
                failure.exitCode().map(Integer::longValue).orElse(null),
                orNull(failure.executionTimeBeforeFailure().map(DurationText::format)),
                failure.naturalLanguageSummary(),
                failure.wasExecutionFailure(),
                failure.requiresManualReview(),
                Map.of());
    }

    static Failure failureFromRecord(FieldParser parser, @Nullable FailureDetails document) {
        FailureDetails details = document == null ? NO_FAILURE : document;
        String path = "status.failureDetails";
        return new Failure(
                parser.optionalConstant(path + ".reason", details.reason(), FailureReason.class)
                        .orElse(FailureReason.Unknown),
                text(details.message()),
                parser.instant(path + ".failedAt", details.failedAt()),
                optionalText(details.failedTaskName()),
                Optional.ofNullable(details.failedTaskIndex()).map(FieldParser::count),
                optionalText(details.failedStepName()),
                Optional.ofNullable(details.exitCode()).map(FieldParser::count),
                parser.duration(path + ".executionTimeBeforeFailure", details.executionTimeBeforeFailure()),
                text(details.naturalLanguageSummary()),
                // Whether that was seen or only could not be ruled out is in the summary; it counts the same.
                Boolean.TRUE.equals(details.wasExecutionFailure()) ? StartStatus.UNKNOWN : StartStatus.NO);
    }

    static SkipDetails toRecord(ExecutionStatus.SkipDetails details, String target) {
        Optional<Holder> holder = details.conflictingHolder();
        Optional<EndedExecution> recent = details.recentExecution();
        return new SkipDetails(
                details.reason().name(),
                details.message(),
                details.skippedAt().toString(),
                orNull(details.allowedAt()),
                holder.map(known -> toRecord(known, target)).orElse(null),
                recent.map(ended -> toRecord(ended, target, remaining(details))).orElse(null),
                Map.of());
    }

    /** Rounded up to whole seconds: an execution that is requested after this time must not be too early. */
    private static @Nullable String remaining(ExecutionStatus.SkipDetails details) {
        return orNull(details.allowedAt().map(at -> {
            Duration exact = Duration.between(details.skippedAt(), at);
            return DurationText.format(Duration.ofSeconds(exact.getSeconds() + (exact.getNano() > 0 ? 1 : 0)));
        }));
    }

    static ExecutionStatus.SkipDetails skipFromRecord(FieldParser parser, @Nullable SkipDetails document) {
        SkipDetails details = document == null ? NO_SKIP : document;
        String path = "status.skipDetails";
        return new ExecutionStatus.SkipDetails(
                parser.constant(path + ".reason", details.reason(), SkipReason.ResourceBusy),
                text(details.message()),
                parser.instant(path + ".skippedAt", details.skippedAt()),
                Optional.ofNullable(details.conflictingWorkflow())
                        .map(holder -> fromRecord(parser, path + ".conflictingWorkflow", holder)),
                Optional.ofNullable(details.recentRemediation())
                        .map(past -> fromRecord(parser, path + ".recentRemediation", past)),
                parser.optionalInstant(path + ".nextAllowedExecution", details.nextAllowedExecution()));
    }

    static PendingDetails toRecord(ExecutionStatus.PendingDetails details) {
        return new PendingDetails(
                details.reason().name(),
                details.message(),
                details.since().toString(),
                orNull(details.until()),
                Map.of());
    }

    /** A reason of a newer version is dropped, not refused: the next decision gives a new one. */
    static Optional<ExecutionStatus.PendingDetails> pendingFromRecord(
            FieldParser parser, @Nullable PendingDetails document) {
        String path = "status.pendingDetails";
        return Optional.ofNullable(document)
                .flatMap(details -> Arrays.stream(PendingReason.values())
                        .filter(reason -> reason.name().equals(details.reason()))
                        .findFirst()
                        .map(reason -> new ExecutionStatus.PendingDetails(
                                reason,
                                text(details.message()),
                                parser.instant(path + ".since", details.since()),
                                parser.optionalInstant(path + ".until", details.until()))));
    }

    static ExecutionRef executionRef(@Nullable String namespace, @Nullable String name, @Nullable String uid) {
        return new ExecutionRef(text(namespace), text(name), text(uid));
    }

    /** @param target the target as the execution that is skipped because of the holder names it */
    static TargetHolder toRecord(Holder holder, @Nullable String target) {
        ExecutionRef execution = holder.execution();
        return new TargetHolder(
                execution.name(),
                execution.namespace(),
                execution.uid(),
                holder.workflow(),
                holder.since().toString(),
                new TargetHolder.Run(holder.runName(), holder.runUid(), Map.of()),
                target,
                Map.of());
    }

    static Holder fromRecord(FieldParser parser, String path, TargetHolder holder) {
        Optional<TargetHolder.Run> run = Optional.ofNullable(holder.pipelineRun());
        return new Holder(
                executionRef(holder.namespace(), holder.name(), holder.uid()),
                text(holder.workflowId()),
                run.map(TargetHolder.Run::uid).orElse(""),
                run.map(TargetHolder.Run::name).orElse(""),
                parser.instant(path + ".startedAt", holder.startedAt()));
    }

    static PastExecution toRecord(EndedExecution ended, @Nullable String target, @Nullable String cooldownRemaining) {
        ExecutionRef execution = ended.execution();
        return new PastExecution(
                execution.name(),
                execution.namespace(),
                execution.uid(),
                ended.workflow(),
                ended.endedAt().toString(),
                ended.reason().isEmpty() ? "Completed" : "Failed",
                ended.reason(),
                ended.afterDeletion() ? true : null,
                target,
                cooldownRemaining,
                Map.of());
    }

    static EndedExecution fromRecord(FieldParser parser, String path, PastExecution past) {
        return new EndedExecution(
                executionRef(past.namespace(), past.name(), past.uid()),
                text(past.workflowId()),
                parser.instant(path + ".completedAt", past.completedAt()),
                text(past.reason()),
                Boolean.TRUE.equals(past.executionDeleted()));
    }

    static ClearanceRecord toRecord(Clearance clearance) {
        String clearedAt = clearance.at().toString();
        return new ClearanceRecord(clearance.actor(), clearance.reason(), clearedAt, Map.of());
    }

    static Clearance fromRecord(FieldParser parser, String path, ClearanceRecord clearance) {
        Instant clearedAt = parser.instant(path + ".clearedAt", clearance.clearedAt());
        return new Clearance(text(clearance.clearedBy()), text(clearance.clearReason()), clearedAt);
    }
}
