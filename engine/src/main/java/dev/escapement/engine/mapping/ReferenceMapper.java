package dev.escapement.engine.mapping;

import static dev.escapement.engine.mapping.FieldParser.text;

import dev.escapement.api.target.RemediationTargetStatus.ClearanceRecord;
import dev.escapement.api.target.RemediationTargetStatus.PastExecution;
import dev.escapement.api.target.RemediationTargetStatus.TargetHolder;
import dev.escapement.governor.ledger.Clearance;
import dev.escapement.governor.ledger.EndedExecution;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.Holder;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Maps what the documents of executions and of targets share. */
final class ReferenceMapper {

    private ReferenceMapper() {}

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
