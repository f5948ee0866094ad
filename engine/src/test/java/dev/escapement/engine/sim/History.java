package dev.escapement.engine.sim;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.Status;
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

/** What really happened, told by the simulated world; a broken promise is an error at the moment it is broken. */
final class History {

    final List<String> lines = new ArrayList<>();
    private final Map<ExecutionRef, Integer> starts = new HashMap<>();
    private final Map<String, ExecutionRef> going = new HashMap<>();
    private final Map<String, Long> epochs = new HashMap<>();
    private final Map<String, ExecutionRef> running = new HashMap<>();

    /** Executions whose run may have left its target half changed, until that is cleared. */
    private final List<Broken> broken = new ArrayList<>();

    private record Broken(String target, String workflow, ExecutionRef by) {}

    private final Set<ExecutionRef> over = new HashSet<>();
    private final Set<ExecutionRef> deleted = new HashSet<>();
    private final Policy policy;
    private final boolean judging;

    History(Policy policy) {
        this(policy, true);
    }

    private History(Policy policy, boolean judging) {
        this.policy = policy;
        this.judging = judging;
    }

    /** For writes that are no life. */
    static History unjudged(Policy policy) {
        return new History(policy, false);
    }

    private void note(String line) {
        lines.add(line);
    }

    private void promise(boolean kept, String promise) {
        if (!kept && judging) {
            throw new AssertionError(promise);
        }
    }

    void runStarted(SimulatedRunner.Run run) {
        note(run.ref.uid() + " of " + run.execution + " starts on " + run.target);
        promise(starts.merge(run.execution, 1, Integer::sum) == 1, "P2: " + run.execution + " was started twice");
        promise(going.putIfAbsent(run.target, run.execution) == null, "P1: two runs at once on " + run.target);
        promise(
                broken.stream().noneMatch(past -> concerns(past, run)),
                "P3: a run was started on the broken " + run.target);
        promise(!over.contains(run.execution), "P2: " + run.execution + " was started after its end");
        Long before = epochs.put(run.target, run.epoch);
        promise(before == null || run.epoch > before, "a run on %s carries an old epoch".formatted(run.target));
    }

    void runEnded(SimulatedRunner.Run run) {
        note(run.ref.uid() + " of " + run.execution + " ends " + run.state);
        going.remove(run.target);
        if (run.state == SimulatedRunner.State.FAILED_DURING) {
            broken.add(new Broken(run.target, run.workflow, run.execution));
        }
    }

    void runVanished(SimulatedRunner.Run run) {
        note(run.ref.uid() + " of " + run.execution + " vanishes");
        going.remove(run.target);
        broken.add(new Broken(run.target, run.workflow, run.execution));
    }

    private boolean concerns(Broken past, SimulatedRunner.Run run) {
        boolean sameWorkflow =
                policy.failureScope() == FailureScope.TARGET || past.workflow().equals(run.workflow);
        return past.target().equals(run.target) && sameWorkflow;
    }

    private boolean broke(Execution execution) {
        return broken.stream().anyMatch(past -> past.by().equals(execution.ref()));
    }

    void deleted(Execution execution) {
        note(execution.ref() + " is deleted while " + execution.status().phase());
        deleted.add(execution.ref());
        running.remove(execution.spec().targetResource(), execution.ref());
    }

    void said(String line) {
        note(line);
    }

    void statusChanged(Execution execution, Status before) {
        Status after = execution.status();
        String target = execution.spec().targetResource();
        note(execution.ref() + " " + before.phase() + " -> " + after.phase());
        promise(!(before instanceof Status.Final), "P4: the final " + execution.ref() + " was changed");
        if (after instanceof Status.Running) {
            ExecutionRef other = running.put(target, execution.ref());
            promise(other == null || other.equals(execution.ref()), "P1: two executions Running on " + target);
        } else if (after instanceof Status.Final ended) {
            running.remove(target, execution.ref());
            over.add(execution.ref());
            judgeEnd(execution, ended);
        }
    }

    private void judgeEnd(Execution execution, Status.Final ended) {
        int started = starts.getOrDefault(execution.ref(), 0);
        if (ended instanceof Status.Completed) {
            promise(started == 1, "P4: " + execution.ref() + " is Completed and never ran");
            promise(!broke(execution), "P3: Completed, but it broke");
        } else if (ended instanceof Status.Skipped skipped) {
            promise(started == 0, "P2: " + execution.ref() + " is Skipped and ran");
            promise(
                    !skipped.details().message().isBlank()
                            && skipped.details().allowedAt().isPresent()
                                    == (skipped.details().reason() == SkipReason.RecentlyRemediated),
                    "P6: " + execution.ref() + " was skipped without a full reason");
        } else if (ended instanceof Status.Failed failed && !failed.failure().wasExecutionFailure()) {
            promise(!broke(execution), "P3: " + execution.ref() + " broke its target and counts as never started");
        }
    }

    void entryChanged(LedgerEntry before, LedgerEntry after) {
        note(after.target() + " " + words(before) + " -> " + words(after));
        promise(after.epoch() >= before.epoch(), "the epoch of " + after.target() + " fell");
        if (after instanceof Held held && before instanceof Free) {
            judgeAcquisition(before, held.holder().since(), held.holder().workflow());
        }
        if (!after.clearance().equals(before.clearance()) && after.clearance().isPresent()) {
            broken.removeIf(past -> past.target().equals(after.target().canonical()));
        }
        broken.removeIf(past -> past.target().equals(after.target().canonical()) && isResetBy(past, before));
        for (Broken past : broken) {
            promise(
                    !past.target().equals(after.target().canonical())
                            || after.heldBy(past.by()).isPresent()
                            || after.memory().of(past.workflow()).block().isPresent(),
                    "P3: the block of " + after.target() + " by " + past.by() + " was lost");
        }
    }

    /** Deleting an execution resets what was remembered of it before, and nothing that was recorded afterwards. */
    private boolean isResetBy(Broken past, LedgerEntry before) {
        return policy.resetOnDelete()
                && deleted.contains(past.by())
                && before.memory().of(past.workflow()).block().stream()
                        .anyMatch(block -> block.execution().equals(past.by()) && !block.afterDeletion());
    }

    /** P5, from the entry as it was: not before the stored deadline, not past the limit, not onto a block. */
    private void judgeAcquisition(LedgerEntry before, Instant at, String workflow) {
        FailureScope scope = policy.failureScope();
        promise(
                before.memory().block(scope, workflow).isEmpty(),
                "P3: " + before.target() + " was taken though blocked");
        promise(
                before.memory().failures(scope, workflow) < policy.maxConsecutiveFailures(),
                "P5: " + before.target() + " was taken after too many failures");
        promise(
                before.memory().retry(scope, workflow).stream().noneMatch(retry -> at.isBefore(retry.nextAllowed())),
                "P5: " + before.target() + " was taken before the backoff was over");
        promise(
                before.memory().completed(workflow).stream()
                        .noneMatch(past -> at.isBefore(past.at().plus(policy.cooldown()))),
                "P5: " + before.target() + " was taken before the cooldown was over");
    }

    private static String words(LedgerEntry entry) {
        return entry instanceof Held held ? "held by " + held.holder().execution() : "free";
    }
}
