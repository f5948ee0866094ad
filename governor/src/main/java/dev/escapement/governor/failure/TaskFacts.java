package dev.escapement.governor.failure;

import java.util.List;

/**
 * A task of a run.
 *
 * @param index its place among the tasks of the workflow, from zero
 * @param reason the executor's reason for its state, empty if it has none
 * @param message the executor's text, empty if there is none; untrusted
 * @param steps the containers or processes of the last attempt, in order
 * @param earlierSteps those of the attempts before it, if the executor retries tasks or restarts containers
 */
public record TaskFacts(
        int index,
        String name,
        TaskState state,
        String reason,
        String message,
        List<StepFacts> steps,
        List<StepFacts> earlierSteps) {

    public TaskFacts {
        if (index < 0) {
            throw new IllegalArgumentException("task index is " + index + ": it must not be negative");
        }
        steps = List.copyOf(steps);
        earlierSteps = List.copyOf(earlierSteps);
    }

    public static TaskFacts of(int index, String name, TaskState state) {
        return new TaskFacts(index, name, state, "", "", List.of(), List.of());
    }

    public TaskFacts withReason(String reason, String message) {
        return new TaskFacts(index, name, state, reason, message, steps, earlierSteps);
    }

    public TaskFacts withSteps(StepFacts... steps) {
        return new TaskFacts(index, name, state, reason, message, List.of(steps), earlierSteps);
    }

    public TaskFacts withEarlierSteps(StepFacts... earlierSteps) {
        return new TaskFacts(index, name, state, reason, message, steps, List.of(earlierSteps));
    }
}
