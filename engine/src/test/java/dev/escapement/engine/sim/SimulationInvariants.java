package dev.escapement.engine.sim;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.FailureScope;
import dev.escapement.governor.Policy;
import dev.escapement.governor.Target;
import dev.escapement.governor.gate.Gate;
import dev.escapement.governor.gate.GateDecision;
import dev.escapement.governor.gate.GateRequest;
import dev.escapement.governor.gate.SkipReason;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.FailureStreak;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Free;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Checks the promises of the engine against what really happened. A violation throws immediately. */
final class SimulationInvariants {

    private static final Set<SkipReason> END_WITH_TIME = Set.of(SkipReason.RecentlyRemediated, SkipReason.WaitExpired);
    private static final Set<SkipReason> WAITED_FOR =
            Set.of(SkipReason.ResourceBusy, SkipReason.RecentlyRemediated, SkipReason.WaitExpired);

    final List<String> lines = new ArrayList<>();
    private final Map<ExecutionRef, Integer> starts = new HashMap<>();
    private final Map<String, ExecutionRef> activeRuns = new HashMap<>();
    private final Map<String, Long> epochs = new HashMap<>();
    private final Map<String, ExecutionRef> runningExecutions = new HashMap<>();

    /** Executions whose run may have left its target half changed, until it is cleared. */
    private final List<BrokenTarget> brokenTargets = new ArrayList<>();

    private record BrokenTarget(String target, String workflow, ExecutionRef by) {}

    private final InvalidRequestInvariants invalidRequests = new InvalidRequestInvariants(this::require);
    /** Targets whose entry was removed by force: what it remembered is lost, so only the lock is checked. */
    private final Set<String> targetsWithoutMemory = new HashSet<>();

    private final Set<ExecutionRef> vanishedRuns = new HashSet<>();
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
        // Without an entry only the clock makes the epoch grow, and the simulated one may stand still.
        boolean comparable = before != null && !targetsWithoutMemory.contains(run.target);
        require(!comparable || run.epoch > before, "a run on %s carries an old epoch".formatted(run.target));
    }

    /** An administrator removed the entry by force. Who runs is still checked, what the entry remembered is not. */
    void entryLost(Target target) {
        addLine("the entry of " + target + " is removed by force");
        targetsWithoutMemory.add(target.canonical());
        brokenTargets.removeIf(broken -> broken.target().equals(target.canonical()));
        epochs.remove(target.canonical());
    }

    /** A user deleted an entry that was not protected. */
    void entryDeleted(Target target) {
        addLine("the entry of " + target + " is deleted");
        epochs.remove(target.canonical());
    }

    /** Neither the ledger nor a run shows the execution any more, only its own status. */
    private boolean isWithoutTrace(String target, ExecutionRef execution) {
        return targetsWithoutMemory.contains(target) && vanishedRuns.contains(execution);
    }

    private void addBrokenTarget(SimulatedRunner.SimulatedRun run) {
        if (!targetsWithoutMemory.contains(run.target)) {
            brokenTargets.add(new BrokenTarget(run.target, run.workflow, run.execution));
        }
    }

    void runEnded(SimulatedRunner.SimulatedRun run) {
        addLine(run.ref.uid() + " of " + run.execution + " ends " + run.state);
        activeRuns.remove(run.target);
        if (run.state == SimulatedRunner.RunState.FAILED_DURING) {
            addBrokenTarget(run);
        }
    }

    void runVanished(SimulatedRunner.SimulatedRun run) {
        addLine(run.ref.uid() + " of " + run.execution + " vanishes");
        vanishedRuns.add(run.execution);
        activeRuns.remove(run.target);
        addBrokenTarget(run);
    }

    private boolean isInScope(BrokenTarget broken, SimulatedRunner.SimulatedRun run) {
        boolean sameWorkflow =
                policy.blockScope() == FailureScope.TARGET || broken.workflow().equals(run.workflow);
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
            require(
                    other == null || other.equals(execution.ref()) || isWithoutTrace(target, other),
                    "P1: two executions Running on " + target);
        } else if (after instanceof ExecutionStatus.Final ended) {
            runningExecutions.remove(target, execution.ref());
            finished.add(execution.ref());
            checkFinalStatus(execution, ended);
        }
    }

    private void checkFinalStatus(Execution execution, ExecutionStatus.Final ended) {
        int started = starts.getOrDefault(execution.ref(), 0);
        invalidRequests.executionEnded(execution, ended);
        if (ended instanceof ExecutionStatus.Completed) {
            require(started == 1, "P4: " + execution.ref() + " is Completed and never ran");
            require(!hasBrokenTarget(execution), "P3: Completed, but it broke");
        } else if (ended instanceof ExecutionStatus.Skipped skipped) {
            require(started == 0, "P2: " + execution.ref() + " is Skipped and ran");
            require(
                    !skipped.details().message().isBlank()
                            && skipped.details().allowedAt().isPresent()
                                    == END_WITH_TIME.contains(skipped.details().reason()),
                    "P6: " + execution.ref() + " was skipped without a full reason");
            require(
                    waitDeadline(execution)
                            .filter(until ->
                                    WAITED_FOR.contains(skipped.details().reason())
                                            && skipped.details().skippedAt().isBefore(until))
                            .isEmpty(),
                    "G10: " + execution.ref() + " was skipped before its deadline");
        } else if (ended instanceof ExecutionStatus.Failed failed
                && !failed.failure().wasExecutionFailure()) {
            require(
                    !hasBrokenTarget(execution),
                    "P3: " + execution.ref() + " broke its target and counts as never started");
            require(
                    !activeRuns.containsValue(execution.ref()),
                    "P3: " + execution.ref() + " counts as never started and its run is active");
        }
    }

    void entryChanged(LedgerEntry before, LedgerEntry after) {
        addLine(after.target() + " " + describe(before) + " -> " + describe(after));
        if (targetsWithoutMemory.contains(after.target().canonical())) {
            invalidRequests.entryChangedAfterLoss(after);
        } else {
            invalidRequests.entryChanged(before, after);
        }
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

    private static Optional<Instant> waitDeadline(Execution execution) {
        return execution.spec().conflict().waitLimit().map(execution.createdAt()::plus);
    }

    /**
     * Requires that what waits is admitted before its deadline, and the oldest of what could be admitted first. What
     * does not wait gives way too, unless the ledger knew nothing of the target.
     */
    void executionAdmitted(Held acquired, Free before, String version, List<Execution> all) {
        Instant at = acquired.holder().since();
        all.stream()
                .filter(execution -> execution.ref().equals(acquired.holder().execution()))
                .findFirst()
                .ifPresent(admitted -> {
                    Optional<Instant> deadline = waitDeadline(admitted);
                    require(
                            deadline.filter(until -> !at.isBefore(until)).isEmpty(),
                            "G10: " + admitted.ref() + " was admitted after its deadline");
                    require(
                            (deadline.isEmpty() && version.equals(Versioned.ABSENT))
                                    || all.stream()
                                            .noneMatch(other -> isOlder(other, admitted)
                                                    && couldRun(other, before, acquired.target(), at)),
                            "G10: " + admitted.ref() + " overtook an older execution");
                });
    }

    private static boolean isOlder(Execution one, Execution other) {
        int order = one.createdAt().compareTo(other.createdAt());
        return order < 0
                || (order == 0 && one.ref().name().compareTo(other.ref().name()) < 0);
    }

    private boolean couldRun(Execution waiting, Free entry, Target target, Instant at) {
        return waiting.isWaiting()
                && waiting.spec().canonicalTarget().equals(target.canonical())
                && waitDeadline(waiting).filter(at::isBefore).isPresent()
                && Gate.decide(new GateRequest(waiting.ref(), waiting.workflowId(), target), entry, policy, at)
                        instanceof GateDecision.Admit;
    }

    /** Requires that a deadline has passed, the limit is not reached and the target is not blocked. */
    private void checkAcquisition(LedgerEntry before, Instant at, String workflow) {
        FailureScope scope = policy.failureScope();
        require(
                before.memory().block(policy.blockScope(), workflow).isEmpty(),
                "P3: " + before.target() + " was acquired though blocked");
        require(
                before.memory().consecutiveFailures(scope, workflow) < policy.maxConsecutiveFailures(),
                "P5: " + before.target() + " was acquired after too many failures");
        require(
                before.memory().failureStreak(scope, workflow).flatMap(FailureStreak::nextAllowed).stream()
                        .noneMatch(at::isBefore),
                "P5: " + before.target() + " was acquired before the backoff had passed");
        require(
                before.memory().lastCompleted(workflow).stream()
                        .noneMatch(broken -> at.isBefore(broken.endedAt().plus(policy.cooldown()))),
                "P5: " + before.target() + " was acquired before the cooldown had passed");
    }

    void checkInvalidRequestsCounted() {
        invalidRequests.checkAllCounted();
    }

    private static String describe(LedgerEntry entry) {
        return entry instanceof Held held ? "held by " + held.holder().execution() : "free";
    }
}
