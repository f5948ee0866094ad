package dev.escapement.governor.ledger;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What the ledger remembers of a workflow on a target.
 *
 * @param failureStreak the executions in a row that could not start
 * @param block the execution that ran and failed, until a person clears it
 */
public record WorkflowMemory(
        Optional<FailureStreak> failureStreak, Optional<EndedExecution> block, Optional<EndedExecution> lastCompleted) {

    public static final WorkflowMemory EMPTY = new WorkflowMemory(Optional.empty(), Optional.empty(), Optional.empty());

    public boolean isEmpty() {
        return failureStreak.isEmpty() && block.isEmpty() && lastCompleted.isEmpty();
    }

    /** Returns the executions that are remembered. */
    public Stream<EndedExecution> endedExecutions() {
        return Stream.of(failureStreak.map(FailureStreak::last), block, lastCompleted)
                .flatMap(Optional::stream);
    }

    WorkflowMemory withFailedStart(EndedExecution ended, Instant nextAllowed) {
        return new WorkflowMemory(
                Optional.of(FailureStreak.extend(failureStreak, ended, nextAllowed)), block, lastCompleted);
    }

    WorkflowMemory withBlock(EndedExecution ended) {
        return new WorkflowMemory(failureStreak, Optional.of(ended), lastCompleted);
    }

    /** A success does not remove a block: only a person does. */
    WorkflowMemory withCompleted(EndedExecution ended) {
        return new WorkflowMemory(Optional.empty(), block, Optional.of(ended));
    }

    WorkflowMemory withoutFailures() {
        return new WorkflowMemory(Optional.empty(), Optional.empty(), lastCompleted);
    }

    WorkflowMemory withoutExecution(String uid) {
        return new WorkflowMemory(
                failureStreak.filter(streak -> !streak.last().isResetBy(uid)),
                block.filter(ended -> !ended.isResetBy(uid)),
                lastCompleted.filter(ended -> !ended.isResetBy(uid)));
    }

    WorkflowMemory expire(Duration cooldown, Instant now) {
        return new WorkflowMemory(
                failureStreak,
                block,
                lastCompleted.filter(ended -> now.isBefore(ended.endedAt().plus(cooldown))));
    }
}
