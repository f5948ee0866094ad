package dev.escapement.governor.failure;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Why an execution failed, for its status, the ledger and people. Everything in it is plain text of bounded length.
 *
 * @param message what the executor said, or a sentence of ours if it said nothing
 * @param failedTaskIndex from zero
 * @param exitCode of the failed step; for a signal what a shell makes of it, 128 and its number
 * @param executionTimeBeforeFailure from the first step that is known to have started, or else from when the run was
 *     let go; empty if nothing was executed or the start is not known. Waiting for images and nodes is not execution.
 * @param naturalLanguageSummary one paragraph for a person or a language model
 * @param startStatus whether a step had started, and how certain that is
 */
public record Failure(
        FailureReason reason,
        String message,
        Instant failedAt,
        Optional<String> failedTaskName,
        Optional<Integer> failedTaskIndex,
        Optional<String> failedStepName,
        Optional<Integer> exitCode,
        Optional<Duration> executionTimeBeforeFailure,
        String naturalLanguageSummary,
        StartStatus startStatus) {

    /** No message is longer, in UTF-16 units. */
    public static final int MAX_MESSAGE_LENGTH = 1024;

    /** No name of a task or a step is longer. */
    public static final int MAX_NAME_LENGTH = 253;

    /** No summary is longer: all that others can put into it has bounds of its own. */
    public static final int MAX_SUMMARY_LENGTH = 2560;

    /** Nothing is null. */
    public Failure {
        requireNonNull(reason, "reason is null");
        requireNonNull(message, "message is null");
        requireNonNull(failedAt, "failedAt is null");
        requireNonNull(failedTaskName, "failedTaskName is null");
        requireNonNull(failedTaskIndex, "failedTaskIndex is null");
        requireNonNull(failedStepName, "failedStepName is null");
        requireNonNull(exitCode, "exitCode is null");
        requireNonNull(executionTimeBeforeFailure, "executionTimeBeforeFailure is null");
        requireNonNull(naturalLanguageSummary, "naturalLanguageSummary is null");
        requireNonNull(startStatus, "started is null");
    }

    /** False only if it is certain that no step ever started. */
    public boolean wasExecutionFailure() {
        return startStatus.countsAsExecutionFailure();
    }

    /** What was executed may have left things half done, and only a person can tell. */
    public boolean requiresManualReview() {
        return wasExecutionFailure();
    }
}
