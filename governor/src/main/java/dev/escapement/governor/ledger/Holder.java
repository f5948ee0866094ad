package dev.escapement.governor.ledger;

import java.time.Instant;

/**
 * The holder of a target.
 *
 * @param runUid the uid of the prepared run; no other run of this execution may be started. Empty if no run could be
 *     prepared: the execution then holds the target only until its failure is recorded
 * @param runName the name of that run; empty if there is none
 * @param since when the target was acquired
 */
public record Holder(ExecutionRef execution, String workflow, String runUid, String runName, Instant since) {}
