package dev.escapement.kubernetes.run;

import dev.escapement.governor.failure.RunEnd;

/**
 * Why an execution cannot run, found without a request to the API server.
 *
 * @param reason known to {@link dev.escapement.governor.failure.FailureClassifier}; empty if {@code end} is enough
 */
public record RunRejection(RunEnd end, String reason, String message) {

    /** The execution does not name anything to run. */
    public static RunRejection workflowNotFound(String message) {
        return new RunRejection(RunEnd.REFUSED, "WorkflowNotFound", message);
    }

    /** The execution names an executor that is not installed. */
    static RunRejection executorNotFound(String message) {
        return new RunRejection(RunEnd.REFUSED, "ExecutorNotFound", message);
    }

    /** The spec contradicts itself or cannot be passed on. */
    public static RunRejection invalid(String message) {
        return new RunRejection(RunEnd.INVALID, "", message);
    }
}
