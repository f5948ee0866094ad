package dev.escapement.process;

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
record Plan(String uid, ExecutionRef execution, String workflow, Duration timeout, List<Step> tasks) {

    /** A task, and the program that it is. */
    record Step(String name, String program, Optional<Duration> timeout) {}

    Plan {
        tasks = List.copyOf(tasks);
    }

    int total() {
        return tasks.size();
    }

    /** How far a run is of which so many tasks have begun. One that has not begun is as far as its first task. */
    RunProgress progress(int begun) {
        int current = Math.max(1, begun);
        return new RunProgress(current - 1, total(), title(current));
    }

    RunProgress done() {
        return new RunProgress(total(), total(), "");
    }

    /** @param number from 1 */
    String title(int number) {
        return "task %d of %d: %s".formatted(number, total(), step(number).name());
    }

    Step step(int number) {
        return tasks.get(number - 1);
    }
}
