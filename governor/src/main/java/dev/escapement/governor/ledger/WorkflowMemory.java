package dev.escapement.governor.ledger;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a target remembers of one workflow.
 *
 * @param retry the executions in a row that could not start
 * @param block the execution that ran and failed, until a person clears it
 * @param completed the last execution that completed
 */
public record WorkflowMemory(Optional<Retry> retry, Optional<Past> block, Optional<Past> completed) {

    /** Nothing happened, or nothing that still matters. */
    public static final WorkflowMemory NONE = new WorkflowMemory(Optional.empty(), Optional.empty(), Optional.empty());

    /** Whether nothing is left to remember. */
    public boolean isEmpty() {
        return retry.isEmpty() && block.isEmpty() && completed.isEmpty();
    }

    /** What happened last. */
    public Optional<Past> last() {
        return Stream.of(retry.map(Retry::last), block, completed)
                .flatMap(Optional::stream)
                .max(Comparator.comparing(Past::at));
    }

    WorkflowMemory couldNotStart(Past past, Instant nextAllowed) {
        return new WorkflowMemory(Optional.of(Retry.oneMore(retry, past, nextAllowed)), block, completed);
    }

    WorkflowMemory blockedBy(Past past) {
        return new WorkflowMemory(retry, Optional.of(past), completed);
    }

    /** A success does not lift a block: only a person does. */
    WorkflowMemory completedBy(Past past) {
        return new WorkflowMemory(Optional.empty(), block, Optional.of(past));
    }

    WorkflowMemory withoutFailures() {
        return new WorkflowMemory(Optional.empty(), Optional.empty(), completed);
    }

    WorkflowMemory without(String uid) {
        return new WorkflowMemory(
                retry.filter(failed -> !failed.last().isResetBy(uid)),
                block.filter(past -> !past.isResetBy(uid)),
                completed.filter(past -> !past.isResetBy(uid)));
    }

    WorkflowMemory expire(Duration cooldown, Instant now) {
        return new WorkflowMemory(
                retry, block, completed.filter(past -> now.isBefore(past.at().plus(cooldown))));
    }
}
