package dev.escapement.engine.execution;

import static java.util.Objects.requireNonNull;

/**
 * The progress of a run.
 *
 * @param message what it is doing, for people; may be empty
 * @param reason the executor's reason for the state; may be empty
 */
public record RunProgress(int completedTasks, int totalTasks, String message, String reason) {

    /** Of a run whose progress cannot be read, such as one on another machine. */
    public static final RunProgress UNKNOWN = new RunProgress(0, 0, "");

    public RunProgress(int completedTasks, int totalTasks, String message) {
        this(completedTasks, totalTasks, message, "");
    }

    public RunProgress {
        requireNonNull(message, "message is null");
        requireNonNull(reason, "reason is null");
        if (completedTasks < 0 || completedTasks > totalTasks) {
            throw new IllegalArgumentException(
                    "completed tasks %d of %d: must be from 0 to the total".formatted(completedTasks, totalTasks));
        }
    }
}
