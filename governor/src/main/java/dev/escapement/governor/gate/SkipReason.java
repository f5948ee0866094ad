package dev.escapement.governor.gate;

/** Why an execution is skipped. The names are those that users see in {@code skipDetails.reason}. */
public enum SkipReason {

    /** Another execution holds the target. It may be tried again when that one ends. */
    ResourceBusy(true),

    /** The last execution ran and failed. Only a person can say what state the target is in. */
    PreviousExecutionFailed(false),

    /** Too many executions in a row could not start. Trying once more will not help; a person may. */
    ExhaustedRetries(false),

    /** Too soon after a failure to start, or after a success of the same workflow. */
    RecentlyRemediated(true);

    private final boolean temporary;

    SkipReason(boolean passesByItself) {
        this.temporary = passesByItself;
    }

    /** Whether waiting is enough; if not, a person has to clear it. */
    public boolean isTemporary() {
        return temporary;
    }
}
