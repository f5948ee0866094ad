package dev.escapement.kubernetes.run;

import dev.escapement.governor.failure.RunEnd;

/**
 * Why there can be no run of an execution, told without asking anybody.
 *
 * @param reason a word of {@link dev.escapement.governor.failure.FailureClassifier}; empty if the end says it
 */
public record RunRejection(RunEnd end, String reason, String message) {

    /** It does not say what to run. */
    public static RunRejection workflowNotFound(String message) {
        return new RunRejection(RunEnd.REFUSED, "WorkflowNotFound", message);
    }

    /** It asks for an executor that there is not. */
    static RunRejection executorNotFound(String message) {
        return new RunRejection(RunEnd.REFUSED, "ExecutorNotFound", message);
    }

    /** What it says cannot be meant. */
    public static RunRejection invalid(String message) {
        return new RunRejection(RunEnd.INVALID, "", message);
    }
}
