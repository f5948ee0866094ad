package dev.escapement.engine.execution;

import static java.util.Objects.requireNonNull;

/**
 * How far a run is.
 *
 * @param completedTasks how many of its tasks are done
 * @param totalTasks of how many
 * @param message what it is doing, for people; empty if it does not say
 * @param reason the executor's own word for how it is; empty if it has none or nobody asked
 */
public record RunProgress(int completedTasks, int totalTasks, String message, String reason) {

    /** Nothing is known of it, as of a run on another machine. */
    public static final RunProgress UNKNOWN = new RunProgress(0, 0, "");

    /** Of a run whose executor has no word for it. */
    public RunProgress(int completedTasks, int totalTasks, String message) {
        this(completedTasks, totalTasks, message, "");
    }

    /** Not negative, and no more done than there is. */
    public RunProgress {
        requireNonNull(message, "message is null");
        requireNonNull(reason, "reason is null");
        if (completedTasks < 0 || completedTasks > totalTasks) {
            throw new IllegalArgumentException("%d of %d tasks: that cannot be".formatted(completedTasks, totalTasks));
        }
    }
}
