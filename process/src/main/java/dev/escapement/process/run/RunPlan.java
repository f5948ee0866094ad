package dev.escapement.process.run;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.escapement.engine.execution.RunProgress;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.process.catalogue.WorkflowTask;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the server knows of a run: its execution, tasks and timeouts. Stored as JSON in the run's folder.
 *
 * @param uid uid of the run
 * @param namespace of the execution
 * @param name of the execution
 * @param executionUid uid of the execution
 * @param workflow id and version, for messages
 * @param isoTimeout of the whole run, in ISO-8601
 * @param tasks in order, at least one
 */
public record RunPlan(
        String uid,
        String namespace,
        String name,
        @JsonProperty("execution") String executionUid,
        String workflow,
        @JsonProperty("timeout") String isoTimeout,
        List<PlannedTask> tasks) {

    /**
     * A task of the run.
     *
     * @param isoTimeout in ISO-8601; null if only the timeout of the run applies
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record PlannedTask(
            String name,
            String program,
            @JsonProperty("timeout") @Nullable String isoTimeout) {

        public static PlannedTask of(WorkflowTask task) {
            String timeout = task.timeout().map(Duration::toString).orElse(null);
            return new PlannedTask(task.name(), task.program(), timeout);
        }

        public Optional<Duration> timeout() {
            return Optional.ofNullable(isoTimeout).map(Duration::parse);
        }
    }

    /** Throws if the document that it is read from lacks what the server cannot do without. */
    public RunPlan {
        requireNonNull(uid, "uid is null");
        requireNonNull(executionUid, "executionUid is null");
        Duration.parse(isoTimeout);
        tasks = List.copyOf(tasks);
    }

    public ExecutionRef execution() {
        return new ExecutionRef(namespace, name, executionUid);
    }

    public Duration timeout() {
        return Duration.parse(isoTimeout);
    }

    public int taskCount() {
        return tasks.size();
    }

    /** Returns the progress after that many tasks have started; before the start the first task is the current one. */
    public RunProgress progress(int startedTasks) {
        int current = Math.max(1, startedTasks);
        return new RunProgress(current - 1, taskCount(), taskTitle(current));
    }

    RunProgress finishedProgress() {
        return new RunProgress(taskCount(), taskCount(), "");
    }

    /** Returns a title such as {@code task 1 of 3: drain}; numbers start at 1. */
    public String taskTitle(int number) {
        return "task %d of %d: %s".formatted(number, taskCount(), task(number).name());
    }

    public PlannedTask task(int number) {
        return tasks.get(number - 1);
    }
}
