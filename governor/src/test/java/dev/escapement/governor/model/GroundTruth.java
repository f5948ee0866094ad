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
        String violation) {

    static GroundTruth withBudget(int clearances, int deletions, int losses, int refusals) {
        return new GroundTruth(0, 0, 0, -1, 0, -1, 0, clearances, deletions, losses, refusals, "");
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
        return copy(starts, succeeded, execution, failures, lastFailure, runs, violation);
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
        if (failures >= limit) {
            wrong = "execution %d was admitted after %d executions in a row could not start"
                    .formatted(execution, failures);
        } else if (((admitted >> execution) & 1) == 1) {
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
                wrong);
    }

    GroundTruth withClearance() {
        return new GroundTruth(
                starts, admitted, succeeded, -1, 0, -1, runs, clearances - 1, deletions, losses, refusals, violation);
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
                wrong);
    }
}
