package dev.escapement.governor.model;

/**
 * What really happened, separate from what the protocol stores: the basis of the invariants.
 *
 * @param starts how often each execution's run was started, four bits each
 * @param admitted which executions acquired the target, one bit each
 * @param succeeded which executions' runs succeeded, one bit each
 * @param brokenBy the execution whose run left the target half changed, until a person cleared it; -1 if none
 * @param failures executions in a row that could not start, since the last success or clearance
 * @param lastFailure the execution that was counted last; -1 if none
 * @param runs the number of prepared runs
 * @param clearances the remaining clearances
 * @param deletions the remaining deletions
 * @param losses the remaining runs that may vanish
 * @param refusals the remaining refusals
 * @param expired which executions have waited as long as they may, one bit each
 * @param loss how the ledger entry was or may be removed from outside
 * @param violation the violation found when an action happened; empty if none
 */
record GroundTruth(
        int starts,
        int admitted,
        int succeeded,
        int brokenBy,
        int failures,
        int lastFailure,
        int runs,
        int clearances,
        int deletions,
        int losses,
        int refusals,
        int expired,
        EntryLoss loss,
        String violation) {

    /**
     * Removals of the ledger entry by others than controllers.
     *
     * @param removals the remaining removals by force, at any moment
     * @param requests the remaining requests to delete it, which take effect when the entry is not protected
     * @param requested whether the deletion was requested and has not taken effect
     * @param happened whether it was removed: a late controller can then acquire the target for an execution that has
     *     ended, without being able to record that
     * @param memoryLost whether it was removed by force: then only the lock is checked, not what it remembered
     */
    record EntryLoss(int removals, int requests, boolean requested, boolean happened, boolean memoryLost) {
        static final EntryLoss NONE = new EntryLoss(0, 0, false, false, false);
    }

    static GroundTruth withBudget(int clearances, int deletions, int losses, int refusals) {
        return new GroundTruth(0, 0, 0, -1, 0, -1, 0, clearances, deletions, losses, refusals, 0, EntryLoss.NONE, "");
    }

    int starts(int execution) {
        return (starts >> (4 * execution)) & 15;
    }

    boolean hasSucceeded(int execution) {
        return ((succeeded >> execution) & 1) == 1;
    }

    GroundTruth withStart(int execution) {
        String wrong = brokenBy >= 0 && brokenBy != execution
                ? "execution %d was started on the target that execution %d had broken".formatted(execution, brokenBy)
                : violation;
        return copy(starts + (1 << (4 * execution)), succeeded, brokenBy, failures, lastFailure, runs, wrong);
    }

    GroundTruth succeeded(int execution) {
        return copy(starts, succeeded | (1 << execution), brokenBy, failures, lastFailure, runs, violation);
    }

    GroundTruth withBroken(int execution) {
        return loss.memoryLost() ? this : copy(starts, succeeded, execution, failures, lastFailure, runs, violation);
    }

    GroundTruth withCountedFailure(int execution) {
        return copy(starts, succeeded, brokenBy, failures + 1, execution, runs, violation);
    }

    GroundTruth withCountedSuccess() {
        return copy(starts, succeeded, brokenBy, 0, -1, runs, violation);
    }

    GroundTruth withPreparedRun() {
        return copy(starts, succeeded, brokenBy, failures, lastFailure, runs + 1, violation);
    }

    GroundTruth admitted(int execution, int limit) {
        String wrong = violation;
        if (loss.memoryLost()) {
            wrong = violation;
        } else if (failures >= limit) {
            wrong = "execution %d was admitted after %d executions in a row could not start"
                    .formatted(execution, failures);
        } else if (((admitted >> execution) & 1) == 1 && !loss.happened()) {
            wrong = "execution %d acquired the target twice".formatted(execution);
        }
        return new GroundTruth(
                starts,
                admitted | (1 << execution),
                succeeded,
                brokenBy,
                failures,
                lastFailure,
                runs,
                clearances,
                deletions,
                losses,
                refusals,
                expired,
                loss,
                wrong);
    }

    boolean isExpired(int execution) {
        return ((expired >> execution) & 1) == 1;
    }

    GroundTruth withExpired(int execution) {
        return withDeadlines(expired | (1 << execution), violation);
    }

    GroundTruth withViolation(String wrong) {
        return withDeadlines(expired, wrong);
    }

    private GroundTruth withDeadlines(int newExpired, String wrong) {
        return new GroundTruth(
                starts,
                admitted,
                succeeded,
                brokenBy,
                failures,
                lastFailure,
                runs,
                clearances,
                deletions,
                losses,
                refusals,
                newExpired,
                loss,
                wrong);
    }

    GroundTruth withClearance() {
        return new GroundTruth(
                starts,
                admitted,
                succeeded,
                -1,
                0,
                -1,
                runs,
                clearances - 1,
                deletions,
                losses,
                refusals,
                expired,
                loss,
                violation);
    }

    /** The ledger reset the memory of a deleted execution, as its deletion requested. */
    GroundTruth withForgotten(int execution) {
        boolean last = lastFailure == execution;
        return copy(
                starts,
                succeeded,
                brokenBy == execution ? -1 : brokenBy,
                last ? 0 : failures,
                last ? -1 : lastFailure,
                runs,
                violation);
    }

    GroundTruth withDeletion() {
        return new GroundTruth(
                starts,
                admitted,
                succeeded,
                brokenBy,
                failures,
                lastFailure,
                runs,
                clearances,
                deletions - 1,
                losses,
                refusals,
                expired,
                loss,
                violation);
    }

    GroundTruth withLostRun() {
        return new GroundTruth(
                starts,
                admitted,
                succeeded,
                brokenBy,
                failures,
                lastFailure,
                runs,
                clearances,
                deletions,
                losses - 1,
                refusals,
                expired,
                loss,
                violation);
    }

    GroundTruth withRefusal() {
        return new GroundTruth(
                starts,
                admitted,
                succeeded,
                brokenBy,
                failures,
                lastFailure,
                runs,
                clearances,
                deletions,
                losses,
                refusals - 1,
                expired,
                loss,
                violation);
    }

    /** Permits removals of the entry. */
    GroundTruth withEntryLoss(int removals, int requests) {
        return withLoss(new EntryLoss(removals, requests, false, false, false));
    }

    /** The entry was removed by force, with all that it remembered. */
    GroundTruth withRemovedEntry() {
        return copy(starts, succeeded, -1, 0, -1, runs, violation)
                .withLoss(new EntryLoss(loss.removals() - 1, loss.requests(), false, true, true));
    }

    GroundTruth withRequestedDeletion() {
        return withLoss(new EntryLoss(loss.removals(), loss.requests() - 1, true, loss.happened(), loss.memoryLost()));
    }

    /** A requested deletion has taken effect: the entry held nothing and remembered no failure. */
    GroundTruth withDeletedEntry() {
        return withLoss(new EntryLoss(loss.removals(), loss.requests(), false, true, loss.memoryLost()));
    }

    private GroundTruth withLoss(EntryLoss changed) {
        return new GroundTruth(
                starts,
                admitted,
                succeeded,
                brokenBy,
                failures,
                lastFailure,
                runs,
                clearances,
                deletions,
                losses,
                refusals,
                expired,
                changed,
                violation);
    }

    private GroundTruth copy(
            int newStarts, int newSucceeded, int newBrokenBy, int newFailures, int newLast, int newRuns, String wrong) {
        return new GroundTruth(
                newStarts,
                admitted,
                newSucceeded,
                newBrokenBy,
                newFailures,
                newLast,
                newRuns,
                clearances,
                deletions,
                losses,
                refusals,
                expired,
                loss,
                wrong);
    }
}
