package dev.escapement.endpoints.store;

import dev.escapement.endpoints.model.FinishedRun;
import dev.escapement.endpoints.model.PlannedRun;
import dev.escapement.governor.plan.RunHistory;

/**
 * What is to be recorded of a run: one unit, all of it or nothing.
 *
 * @param claim under which it ran, with the revision that the plan was made of
 * @param run the row of the history
 * @param history with the run counted
 * @param nextRun the plan that follows
 * @param remediationDue whether a remediation is to be asked for because of it; if not, none that was due is due any
 *     longer
 */
public record RunResult(
        EndpointClaim claim, FinishedRun run, RunHistory history, PlannedRun nextRun, boolean remediationDue) {}
