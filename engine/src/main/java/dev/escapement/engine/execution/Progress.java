package dev.escapement.engine.execution;

import static java.util.Objects.requireNonNull;

/**
 * How far a run is.
 *
 * @param completedTasks how many of its tasks are done
 * @param totalTasks of how many
 * @param message what it is doing, for people; empty if it does not say
 */
public record Progress(int completedTasks, int totalTasks, String message) {

    /** Nothing is known of it, as of a run on another machine. */
    public static final Progress NONE = new Progress(0, 0, "");

    /** Not negative, and no more done than there is. */
    public Progress {
        requireNonNull(message, "message is null");
        if (completedTasks < 0 || completedTasks > totalTasks) {
            throw new IllegalArgumentException("%d of %d tasks: that cannot be".formatted(completedTasks, totalTasks));
        }
    }
}
