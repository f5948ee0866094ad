package dev.escapement.process.run;

import dev.escapement.engine.execution.RunProgress;
import dev.escapement.governor.ledger.ExecutionRef;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What the server needs to know of a run, besides what its supervisor runs.
 *
 * @param uid of the run
 * @param execution whose run it is
 * @param workflow id and version, for people
 * @param timeout how long all of it may take
 * @param tasks in order, at least one
 */
public record RunPlan(String uid, ExecutionRef execution, String workflow, Duration timeout, List<PlannedTask> tasks) {

    /** A task, and the program that it is. */
    public record PlannedTask(String name, String program, Optional<Duration> timeout) {}

    public RunPlan {
        tasks = List.copyOf(tasks);
    }

    public int taskCount() {
        return tasks.size();
    }

    /** How far a run is of which so many tasks have begun. One that has not begun is as far as its first task. */
    public RunProgress progress(int begun) {
        int current = Math.max(1, begun);
        return new RunProgress(current - 1, taskCount(), taskTitle(current));
    }

    RunProgress finishedProgress() {
        return new RunProgress(taskCount(), taskCount(), "");
    }

    /** @param number from 1 */
    public String taskTitle(int number) {
        return "task %d of %d: %s".formatted(number, taskCount(), task(number).name());
    }

    public PlannedTask task(int number) {
        return tasks.get(number - 1);
    }
}
