package dev.escapement.governor.ledger;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a target remembers of one workflow.
 *
 * @param failureStreak the executions in a row that could not start
 * @param block the execution that ran and failed, until a person clears it
 * @param lastCompleted the last execution that completed
 */
public record WorkflowMemory(
        Optional<FailureStreak> failureStreak, Optional<EndedExecution> block, Optional<EndedExecution> lastCompleted) {

    /** Nothing happened, or nothing that still matters. */
    public static final WorkflowMemory EMPTY = new WorkflowMemory(Optional.empty(), Optional.empty(), Optional.empty());

    /** Whether nothing is left to remember. */
    public boolean isEmpty() {
        return failureStreak.isEmpty() && block.isEmpty() && lastCompleted.isEmpty();
    }

    /** What happened last. */
    public Optional<EndedExecution> lastEnded() {
        return Stream.of(failureStreak.map(FailureStreak::last), block, lastCompleted)
                .flatMap(Optional::stream)
                .max(Comparator.comparing(EndedExecution::endedAt));
    }

    WorkflowMemory withFailedStart(EndedExecution past, Instant nextAllowed) {
        return new WorkflowMemory(
                Optional.of(FailureStreak.extend(failureStreak, past, nextAllowed)), block, lastCompleted);
    }

    WorkflowMemory withBlock(EndedExecution past) {
        return new WorkflowMemory(failureStreak, Optional.of(past), lastCompleted);
    }

    /** A success does not lift a block: only a person does. */
    WorkflowMemory withCompleted(EndedExecution past) {
        return new WorkflowMemory(Optional.empty(), block, Optional.of(past));
    }

    WorkflowMemory withoutFailures() {
        return new WorkflowMemory(Optional.empty(), Optional.empty(), lastCompleted);
    }

    WorkflowMemory withoutExecution(String uid) {
        return new WorkflowMemory(
                failureStreak.filter(failed -> !failed.last().isResetBy(uid)),
                block.filter(past -> !past.isResetBy(uid)),
                lastCompleted.filter(past -> !past.isResetBy(uid)));
    }

    WorkflowMemory expire(Duration cooldown, Instant now) {
        return new WorkflowMemory(
                failureStreak,
                block,
                lastCompleted.filter(past -> now.isBefore(past.endedAt().plus(cooldown))));
    }
}
