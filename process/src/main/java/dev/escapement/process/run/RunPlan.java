package dev.escapement.process.run;

import dev.escapement.engine.execution.RunProgress;
import dev.escapement.governor.ledger.ExecutionRef;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What the server knows of a run: its execution, tasks and timeouts.
 *
 * @param uid uid of the run
 * @param workflow id and version, for messages
 * @param timeout of the whole run
 * @param tasks in order, at least one
 */
public record RunPlan(String uid, ExecutionRef execution, String workflow, Duration timeout, List<PlannedTask> tasks) {

    /** A task of the run. */
    public record PlannedTask(String name, String program, Optional<Duration> timeout) {}

    public RunPlan {
        tasks = List.copyOf(tasks);
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
