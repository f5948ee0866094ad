package dev.escapement.engine.mapping;

import dev.escapement.api.Condition;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionStatus;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** The status as conditions, for {@code kubectl wait}: has it finished, and has it succeeded? */
final class StatusConditions {

    private StatusConditions() {}

    static List<Condition> of(Execution execution) {
        ExecutionStatus status = execution.status();
        String reason = status.phase();
        String message = "";
        // Does not change while an execution waits or runs.
        Instant since = execution.createdAt();
        if (status instanceof ExecutionStatus.Failed failed) {
            reason = failed.failure().reason().name();
            message = failed.failure().message();
        } else if (status instanceof ExecutionStatus.Skipped skipped) {
            reason = skipped.details().reason().name();
            message = skipped.details().message();
        }
        String finished = "False";
        String succeeded = "Unknown";
        if (status instanceof ExecutionStatus.Final ended) {
            since = ended.completionTime();
            finished = "True";
            succeeded = status instanceof ExecutionStatus.Completed ? "True" : "False";
        }
        return List.of(
                new Condition("Succeeded", succeeded, reason, message, since.toString(), Map.of()),
                new Condition("Finished", finished, reason, message, since.toString(), Map.of()));
    }
}
