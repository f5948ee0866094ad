package dev.escapement.engine.journal;

/** What a transition may say besides. */
public enum Detail {

    /** Who asked for it. */
    BY("by"),

    /** The remediation request that the execution belongs to. */
    REMEDIATION("remediationId"),

    /** The execution that held the target. */
    CONFLICTING("conflictingWorkflow"),

    /** The ended execution that is the reason. */
    RECENT("recentRemediation"),

    /** How that one ended, as a phase. */
    RECENT_OUTCOME("recentOutcome"),

    /** From when on the same request would be admitted. */
    NEXT_ALLOWED("nextAllowedExecution"),

    /** How many executions in a row could not start, this one included. */
    FAILURES("consecutiveFailures"),

    /** How long it ran, in seconds with a fraction. */
    SECONDS("durationSeconds"),

    /** Whether a step had started, or may have. */
    DURING("wasExecutionFailure"),

    /** The run. */
    RUN("pipelineRun");

    private final String key;

    Detail(String key) {
        this.key = key;
    }

    /** As it is written. */
    public String key() {
        return key;
    }
}
