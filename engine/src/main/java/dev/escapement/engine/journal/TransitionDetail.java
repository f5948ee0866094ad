package dev.escapement.engine.journal;

/** What a transition may say besides. */
public enum TransitionDetail {

    /** Who asked for it. */
    ACTOR("by"),

    /** The remediation request that the execution belongs to. */
    REMEDIATION_ID("remediationId"),

    /** The execution that held the target. */
    CONFLICTING_EXECUTION("conflictingWorkflow"),

    /** The ended execution that is the reason. */
    RECENT_EXECUTION("recentRemediation"),

    /** How that one ended, as a phase. */
    RECENT_OUTCOME("recentOutcome"),

    /** From when on the same request would be admitted. */
    NEXT_ALLOWED("nextAllowedExecution"),

    /** How many executions in a row could not start, this one included. */
    CONSECUTIVE_FAILURES("consecutiveFailures"),

    /** How long it ran, in seconds with a fraction. */
    DURATION_SECONDS("durationSeconds"),

    /** Whether a step had started, or may have. */
    WAS_EXECUTION_FAILURE("wasExecutionFailure"),

    /** The run. */
    RUN_NAME("pipelineRun");

    private final String key;

    TransitionDetail(String key) {
        this.key = key;
    }

    /** As it is written. */
    public String key() {
        return key;
    }
}
