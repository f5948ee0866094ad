package dev.escapement.endpoints.store;

import dev.escapement.endpoints.model.FinishedRun;
import dev.escapement.endpoints.model.PlannedRun;
import dev.escapement.governor.plan.RunHistory;

/**
 * The result of a run and its consequences, recorded atomically.
 *
 * @param claim claim of the run, with the revision that the next plan is based on
 * @param history history including the run
 * @param remediationDue whether to request a remediation; if not, one that was due is cancelled
 */
public record RunResult(
        EndpointClaim claim, FinishedRun run, RunHistory history, PlannedRun nextRun, boolean remediationDue) {}
