package dev.escapement.engine.journal;

/** The keys of a transition's details. */
public enum TransitionDetail {
    /** Who requested it. */
    ACTOR("by"),
    /** The remediation request that the execution belongs to; of a clearance all of them, separated by commas. */
    REMEDIATION_ID("remediationId"),
    /** The failed executions that a clearance is about, separated by commas. */
    CLEARED_EXECUTIONS("clearedExecutions"),
    /** The execution that held the target. */
    CONFLICTING_EXECUTION("conflictingWorkflow"),
    /** The ended execution that caused a skip. */
    RECENT_EXECUTION("recentRemediation"),
    /** The phase of that execution. */
    RECENT_OUTCOME("recentOutcome"),
    /** From when the same request is admitted. */
    NEXT_ALLOWED("nextAllowedExecution"),
    /** When the delay of a pending execution ends at the latest. */
    PENDING_UNTIL("until"),
    /** The number of executions in a row that could not start, this one included. */
    CONSECUTIVE_FAILURES("consecutiveFailures"),
    /** How long the execution ran, in seconds with a fraction. */
    DURATION_SECONDS("durationSeconds"),
    /** Whether a step had started, or may have. */
    WAS_EXECUTION_FAILURE("wasExecutionFailure"),
    /** The name of the run. */
    RUN_NAME("pipelineRun");

    private final String key;

    TransitionDetail(String key) {
        this.key = key;
    }

    public String key() {
        return key;
    }
}
