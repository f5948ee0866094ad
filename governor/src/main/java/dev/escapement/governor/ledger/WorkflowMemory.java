package dev.escapement.governor.ledger;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What the ledger remembers of a workflow on a target.
 *
 * @param failureStreak the executions in a row that could not start
 * @param invalidRequests the requests in a row that failed validation. They are apart from the others, because they
 *     count for this workflow only, and are counted while another execution holds the target
 * @param block the execution that ran and failed, until a person clears it
 */
public record WorkflowMemory(
        Optional<FailureStreak> failureStreak,
        Optional<FailureStreak> invalidRequests,
        Optional<EndedExecution> block,
        Optional<EndedExecution> lastCompleted) {

    public static final WorkflowMemory EMPTY =
            new WorkflowMemory(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

    public boolean isEmpty() {
        return equals(EMPTY);
    }

    /** Returns the executions that are remembered. */
    public Stream<EndedExecution> endedExecutions() {
        return Stream.concat(failedExecutions(), lastCompleted.stream());
    }

    /** Returns the executions whose failures a person can clear. */
    public Stream<EndedExecution> failedExecutions() {
        return Stream.of(block, failureStreak.map(FailureStreak::last), invalidRequests.map(FailureStreak::last))
                .flatMap(Optional::stream);
    }

    WorkflowMemory withFailedStart(EndedExecution ended, Optional<Instant> nextAllowed) {
        FailureStreak extended = FailureStreak.extend(failureStreak, ended, nextAllowed);
        return new WorkflowMemory(Optional.of(extended), invalidRequests, block, lastCompleted);
    }

    WorkflowMemory withInvalidRequest(EndedExecution ended, Optional<Instant> nextAllowed) {
        // Invalid requests do not wait for a deadline. If the limit is reached, an earlier one must not remain.
        Optional<FailureStreak> before =
                nextAllowed.isPresent() ? invalidRequests : invalidRequests.map(FailureStreak::withoutDeadline);
        FailureStreak extended = FailureStreak.extend(before, ended, nextAllowed);
        return new WorkflowMemory(failureStreak, Optional.of(extended), block, lastCompleted);
    }

    WorkflowMemory withoutInvalidRequests() {
        return new WorkflowMemory(failureStreak, Optional.empty(), block, lastCompleted);
    }

    WorkflowMemory withBlock(EndedExecution ended) {
        return new WorkflowMemory(failureStreak, invalidRequests, Optional.of(ended), lastCompleted);
    }

    /** A success does not remove a block: only a person does. */
    WorkflowMemory withCompleted(EndedExecution ended) {
        return new WorkflowMemory(Optional.empty(), Optional.empty(), block, Optional.of(ended));
    }

    WorkflowMemory withoutFailures() {
        return new WorkflowMemory(Optional.empty(), Optional.empty(), Optional.empty(), lastCompleted);
    }

    WorkflowMemory withoutExecution(String uid) {
        return new WorkflowMemory(
                failureStreak.filter(streak -> !streak.last().isResetBy(uid)),
                invalidRequests.filter(streak -> !streak.last().isResetBy(uid)),
                block.filter(ended -> !ended.isResetBy(uid)),
                lastCompleted.filter(ended -> !ended.isResetBy(uid)));
    }

    WorkflowMemory expire(Duration cooldown, Instant now) {
        return new WorkflowMemory(
                failureStreak,
                invalidRequests,
                block,
                lastCompleted.filter(ended -> now.isBefore(ended.endedAt().plus(cooldown))));
    }
}
