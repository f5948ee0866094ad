package dev.escapement.governor.failure;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Why an execution failed, for its status, the ledger and people. All texts are sanitized and of bounded length.
 *
 * @param message the executor's message, or one derived from the reason if there is none
 * @param failedTaskIndex from zero
 * @param exitCode of the failed step; for a signal 128 + its number, as a shell does
 * @param executionTimeBeforeFailure from the first step that is known to have started, or else from the start of the
 *     run; empty if no step started or the start is unknown. Waiting for images and nodes does not count
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

    /** In UTF-16 units, as the other lengths. */
    public static final int MAX_MESSAGE_LENGTH = 1024;

    /** Of the name of a task or a step. */
    public static final int MAX_NAME_LENGTH = 253;

    /** Follows from the limits of the texts that the summary quotes. */
    public static final int MAX_SUMMARY_LENGTH = 2560;

    /** Returns false only if it is certain that no step started. */
    public boolean wasExecutionFailure() {
        return startStatus.countsAsExecutionFailure();
    }

    /** Returns whether a person has to inspect the target, because a step may have changed it in part. */
    public boolean requiresManualReview() {
        return wasExecutionFailure();
    }
}
