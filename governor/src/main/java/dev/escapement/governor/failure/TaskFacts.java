package dev.escapement.governor.failure;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * One task of a run.
 *
 * @param index its place among the tasks of the workflow, from zero
 * @param reason the executor's word for its state, empty if it has none
 * @param message the executor's text, empty if there is none; not to be trusted
 * @param steps its containers or processes in order, of the last attempt
 * @param earlierSteps those of the attempts before it, if the executor retries tasks or restarts containers: a step
 *     that ran then, ran
 */
public record TaskFacts(
        int index,
        String name,
        TaskState state,
        String reason,
        String message,
        List<StepFacts> steps,
        List<StepFacts> earlierSteps) {

    /** Nothing is null, and the index is one. */
    public TaskFacts {
        if (index < 0) {
            throw new IllegalArgumentException("task index is " + index + ": it must not be negative");
        }
        requireNonNull(name, "name is null");
        requireNonNull(state, "state is null");
        requireNonNull(reason, "reason is null");
        requireNonNull(message, "message is null");
        steps = List.copyOf(steps);
        earlierSteps = List.copyOf(earlierSteps);
    }

    /** A task of which no more is known. */
    public static TaskFacts of(int index, String name, TaskState state) {
        return new TaskFacts(index, name, state, "", "", List.of(), List.of());
    }

    /** The same, with what the executor says about its state. */
    public TaskFacts withReason(String reason, String message) {
        return new TaskFacts(index, name, state, reason, message, steps, earlierSteps);
    }

    /** The same, with the steps of its last attempt. */
    public TaskFacts withSteps(StepFacts... steps) {
        return new TaskFacts(index, name, state, reason, message, List.of(steps), earlierSteps);
    }

    /** The same, with the steps of the attempts before the last. */
    public TaskFacts withEarlierSteps(StepFacts... earlierSteps) {
        return new TaskFacts(index, name, state, reason, message, steps, List.of(earlierSteps));
    }
}
