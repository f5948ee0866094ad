package dev.escapement.engine.sim;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.governor.failure.FailureReason;
import dev.escapement.governor.ledger.ExecutionOutcome.FailedBeforeExecution;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.FailureStreak;
import dev.escapement.governor.ledger.LedgerEntry;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;

/** Checks that every invalid request fails, and is counted exactly once, for its own workflow only. */
final class InvalidRequestInvariants {

    private final BiConsumer<Boolean, String> require;

    /** Counted executions by target, until a success, a clearance or a deletion resets the count. */
    private final Map<String, Set<ExecutionRef>> counted = new HashMap<>();

    private final Set<ExecutionRef> everCounted = new HashSet<>();
    private final Set<ExecutionRef> failed = new HashSet<>();

    InvalidRequestInvariants(BiConsumer<Boolean, String> require) {
        this.require = require;
    }

    void executionEnded(Execution execution, ExecutionStatus.Final ended) {
        boolean invalid = execution.workflowId().equals(SimulatedRunner.INVALID_WORKFLOW);
        require.accept(
                !invalid || ended instanceof ExecutionStatus.Failed,
                "G0: the invalid " + execution.ref() + " ended " + ended.phase());
        if (ended instanceof ExecutionStatus.Failed failure
                && failure.failure().reason() == FailureReason.ValidationError
                && failure.outcome() instanceof FailedBeforeExecution) {
            failed.add(execution.ref());
        }
    }

    void entryChanged(LedgerEntry before, LedgerEntry after) {
        Optional<FailureStreak> was = before.memory().invalidRequests(SimulatedRunner.INVALID_WORKFLOW);
        Optional<FailureStreak> is = after.memory().invalidRequests(SimulatedRunner.INVALID_WORKFLOW);
        if (is.equals(was)) {
            return;
        }
        Set<ExecutionRef> current = counted.computeIfAbsent(after.target().canonical(), target -> new HashSet<>());
        if (is.isEmpty()) {
            current.clear();
            return;
        }
        ExecutionRef last = is.get().last().execution();
        everCounted.add(last);
        require.accept(current.add(last), "G0: " + last + " was counted twice");
        require.accept(
                is.get().failures() == current.size(),
                "G0: %s counts %d invalid requests, but there were %d"
                        .formatted(after.target(), is.get().failures(), current.size()));
        require.accept(
                after.memory().failureStreak().equals(before.memory().failureStreak()),
                "G0: the invalid " + last + " counts for all workflows of " + after.target());
    }

    /** The entry was removed by force at some time, so that its count says nothing. */
    void entryChangedAfterLoss(LedgerEntry after) {
        after.memory()
                .invalidRequests(SimulatedRunner.INVALID_WORKFLOW)
                .ifPresent(streak -> everCounted.add(streak.last().execution()));
    }

    void checkAllCounted() {
        failed.forEach(ref -> require.accept(everCounted.contains(ref), "G0: " + ref + " was not counted"));
    }
}
