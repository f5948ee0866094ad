package dev.escapement.engine.sim;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.governor.FailureScope;
import dev.escapement.governor.Policy;
import dev.escapement.governor.gate.SkipReason;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Free;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Checks the promises of the engine against what really happened. A violation throws immediately. */
final class SimulationInvariants {

    final List<String> lines = new ArrayList<>();
    private final Map<ExecutionRef, Integer> starts = new HashMap<>();
    private final Map<String, ExecutionRef> activeRuns = new HashMap<>();
    private final Map<String, Long> epochs = new HashMap<>();
    private final Map<String, ExecutionRef> runningExecutions = new HashMap<>();

    /** Executions whose run may have left its target half changed, until it is cleared. */
    private final List<BrokenTarget> brokenTargets = new ArrayList<>();

    private record BrokenTarget(String target, String workflow, ExecutionRef by) {}

    private final Set<ExecutionRef> finished = new HashSet<>();
    private final Set<ExecutionRef> deletedExecutions = new HashSet<>();
    private final Policy policy;
    private final boolean enabled;

    SimulationInvariants(Policy policy) {
        this(policy, true);
    }

    private SimulationInvariants(Policy policy, boolean enabled) {
        this.policy = policy;
        this.enabled = enabled;
    }

    /** Checks nothing: for single writes. */
    static SimulationInvariants disabled(Policy policy) {
        return new SimulationInvariants(policy, false);
    }

    private void addLine(String line) {
        lines.add(line);
    }

    private void require(boolean holds, String violation) {
        if (!holds && enabled) {
            throw new AssertionError(violation);
        }
    }

    void runStarted(SimulatedRunner.SimulatedRun run) {
        addLine(run.ref.uid() + " of " + run.execution + " starts on " + run.target);
        require(starts.merge(run.execution, 1, Integer::sum) == 1, "P2: " + run.execution + " was started twice");
        require(activeRuns.putIfAbsent(run.target, run.execution) == null, "P1: two runs at once on " + run.target);
        require(
                brokenTargets.stream().noneMatch(broken -> isInScope(broken, run)),
                "P3: a run was started on the broken " + run.target);
        require(!finished.contains(run.execution), "P2: " + run.execution + " was started after its end");
        Long before = epochs.put(run.target, run.epoch);
        require(before == null || run.epoch > before, "a run on %s carries an old epoch".formatted(run.target));
    }

    void runEnded(SimulatedRunner.SimulatedRun run) {
        addLine(run.ref.uid() + " of " + run.execution + " ends " + run.state);
        activeRuns.remove(run.target);
        if (run.state == SimulatedRunner.RunState.FAILED_DURING) {
            brokenTargets.add(new BrokenTarget(run.target, run.workflow, run.execution));
        }
    }

    void runVanished(SimulatedRunner.SimulatedRun run) {
        addLine(run.ref.uid() + " of " + run.execution + " vanishes");
        activeRuns.remove(run.target);
        brokenTargets.add(new BrokenTarget(run.target, run.workflow, run.execution));
    }

    private boolean isInScope(BrokenTarget broken, SimulatedRunner.SimulatedRun run) {
        boolean sameWorkflow = policy.failureScope() == FailureScope.TARGET
                || broken.workflow().equals(run.workflow);
        return broken.target().equals(run.target) && sameWorkflow;
    }

    private boolean hasBrokenTarget(Execution execution) {
        return brokenTargets.stream().anyMatch(broken -> broken.by().equals(execution.ref()));
    }

    void executionDeleted(Execution execution) {
        addLine(execution.ref() + " is deleted while " + execution.status().phase());
        deletedExecutions.add(execution.ref());
        runningExecutions.remove(execution.spec().targetResource(), execution.ref());
    }

    void logEvent(String line) {
        addLine(line);
    }

    void statusChanged(Execution execution, ExecutionStatus before) {
        ExecutionStatus after = execution.status();
        String target = execution.spec().targetResource();
        addLine(execution.ref() + " " + before.phase() + " -> " + after.phase());
        require(!(before instanceof ExecutionStatus.Final), "P4: the final " + execution.ref() + " was changed");
        if (after instanceof ExecutionStatus.Running) {
            ExecutionRef other = runningExecutions.put(target, execution.ref());
            require(other == null || other.equals(execution.ref()), "P1: two executions Running on " + target);
        } else if (after instanceof ExecutionStatus.Final ended) {
            runningExecutions.remove(target, execution.ref());
            finished.add(execution.ref());
            checkFinalStatus(execution, ended);
        }
    }

    private void checkFinalStatus(Execution execution, ExecutionStatus.Final ended) {
        int started = starts.getOrDefault(execution.ref(), 0);
        if (ended instanceof ExecutionStatus.Completed) {
            require(started == 1, "P4: " + execution.ref() + " is Completed and never ran");
            require(!hasBrokenTarget(execution), "P3: Completed, but it broke");
        } else if (ended instanceof ExecutionStatus.Skipped skipped) {
            require(started == 0, "P2: " + execution.ref() + " is Skipped and ran");
            require(
                    !skipped.details().message().isBlank()
                            && skipped.details().allowedAt().isPresent()
                                    == (skipped.details().reason() == SkipReason.RecentlyRemediated),
                    "P6: " + execution.ref() + " was skipped without a full reason");
        } else if (ended instanceof ExecutionStatus.Failed failed
                && !failed.failure().wasExecutionFailure()) {
            require(
                    !hasBrokenTarget(execution),
                    "P3: " + execution.ref() + " broke its target and counts as never started");
        }
    }

    void entryChanged(LedgerEntry before, LedgerEntry after) {
        addLine(after.target() + " " + describe(before) + " -> " + describe(after));
        require(after.epoch() >= before.epoch(), "the epoch of " + after.target() + " decreased");
        if (after instanceof Held held && before instanceof Free) {
            checkAcquisition(before, held.holder().since(), held.holder().workflow());
        }
        if (!after.clearance().equals(before.clearance()) && after.clearance().isPresent()) {
            brokenTargets.removeIf(
                    broken -> broken.target().equals(after.target().canonical()));
        }
        brokenTargets.removeIf(
                broken -> broken.target().equals(after.target().canonical()) && isResetBy(broken, before));
        for (BrokenTarget broken : brokenTargets) {
            require(
                    !broken.target().equals(after.target().canonical())
                            || after.heldBy(broken.by()).isPresent()
                            || after.memory()
                                    .forWorkflow(broken.workflow())
                                    .block()
                                    .isPresent(),
                    "P3: the block of " + after.target() + " by " + broken.by() + " was lost");
        }
    }

    /** Deleting an execution resets what was remembered of it before, and nothing that was recorded afterwards. */
    private boolean isResetBy(BrokenTarget broken, LedgerEntry before) {
        return policy.resetOnDelete()
                && deletedExecutions.contains(broken.by())
                && before.memory().forWorkflow(broken.workflow()).block().stream()
                        .anyMatch(block -> block.execution().equals(broken.by()) && !block.afterDeletion());
    }

    /** Requires that a deadline has passed, the limit is not reached and the target is not blocked. */
    private void checkAcquisition(LedgerEntry before, Instant at, String workflow) {
        FailureScope scope = policy.failureScope();
        require(
                before.memory().block(scope, workflow).isEmpty(),
                "P3: " + before.target() + " was acquired though blocked");
        require(
                before.memory().consecutiveFailures(scope, workflow) < policy.maxConsecutiveFailures(),
                "P5: " + before.target() + " was acquired after too many failures");
        require(
                before.memory().failureStreak(scope, workflow).stream()
                        .noneMatch(retry -> at.isBefore(retry.nextAllowed())),
                "P5: " + before.target() + " was acquired before the backoff had passed");
        require(
                before.memory().lastCompleted(workflow).stream()
                        .noneMatch(broken -> at.isBefore(broken.endedAt().plus(policy.cooldown()))),
                "P5: " + before.target() + " was acquired before the cooldown had passed");
    }

    private static String describe(LedgerEntry entry) {
        return entry instanceof Held held ? "held by " + held.holder().execution() : "free";
    }
}
