package dev.escapement.governor.gate;

/** Why an execution is skipped. The names are those that users see in {@code skipDetails.reason}. */
public enum SkipReason {
    /** Another execution holds the target. Retry after it has ended. */
    ResourceBusy(true),
    /** The last execution ran and failed. A person must inspect and clear the target. */
    PreviousExecutionFailed(false),
    /** Too many executions in a row could not start. A person must remove the cause and clear the target. */
    ExhaustedRetries(false),
    /** Too soon after a failed start, or after a success of the same workflow. */
    RecentlyRemediated(true),
    /** Too many executions wait for the target. Retry when some of them have ended. */
    QueueFull(true),
    /** Its time to wait ended before anything decided it, and by then nothing was in the way. Retry. */
    WaitExpired(true);

    private final boolean temporary;

    SkipReason(boolean temporary) {
        this.temporary = temporary;
    }

    /** Returns whether waiting is enough; if not, a person must clear the target. */
    public boolean isTemporary() {
        return temporary;
    }
}
