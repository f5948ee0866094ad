package dev.escapement.kubernetes.run;

import dev.escapement.governor.failure.RunEnd;

/**
 * Why there can be no run of an execution, told without asking anybody.
 *
 * @param reason a word of {@link dev.escapement.governor.failure.FailureClassifier}; empty if the end says it
 */
public record Objection(RunEnd end, String reason, String message) {

    /** It does not say what to run. */
    public static Objection noWorkflow(String message) {
        return new Objection(RunEnd.REFUSED, "WorkflowNotFound", message);
    }

    /** It asks for an executor that there is not. */
    static Objection noExecutor(String message) {
        return new Objection(RunEnd.REFUSED, "ExecutorNotFound", message);
    }

    /** What it says cannot be meant. */
    public static Objection invalid(String message) {
        return new Objection(RunEnd.INVALID, "", message);
    }
}
