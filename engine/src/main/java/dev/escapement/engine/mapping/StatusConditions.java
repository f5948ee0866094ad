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
        boolean over = status instanceof ExecutionStatus.Final;
        String succeeded = status instanceof ExecutionStatus.Completed ? "True" : over ? "False" : "Unknown";
        return List.of(
                condition("Succeeded", succeeded, execution),
                condition("Finished", over ? "True" : "False", execution));
    }

    private static Condition condition(String type, String value, Execution execution) {
        return new Condition(
                type,
                value,
                reason(execution.status()),
                message(execution.status()),
                since(execution).toString(),
                Map.of());
    }

    private static String reason(ExecutionStatus status) {
        if (status instanceof ExecutionStatus.Failed failed) {
            return failed.failure().reason().name();
        }
        return status instanceof ExecutionStatus.Skipped skipped
                ? skipped.details().reason().name()
                : status.phase();
    }

    private static String message(ExecutionStatus status) {
        if (status instanceof ExecutionStatus.Failed failed) {
            return failed.failure().message();
        }
        return status instanceof ExecutionStatus.Skipped skipped
                ? skipped.details().message()
                : "";
    }

    /** Neither changes while an execution waits or runs. */
    private static Instant since(Execution execution) {
        return execution.status() instanceof ExecutionStatus.Final ended
                ? ended.completionTime()
                : execution.createdAt();
    }
}
