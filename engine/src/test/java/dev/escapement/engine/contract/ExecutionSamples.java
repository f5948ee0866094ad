package dev.escapement.engine.contract;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionSpec;
import dev.escapement.engine.execution.ExecutionSpec.ConflictSettings;
import dev.escapement.engine.execution.ExecutionSpec.OnConflict;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.execution.ExecutionStatus.PendingReason;
import dev.escapement.engine.execution.RunProgress;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.ExecutionOutcome;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.Holder;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Free;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** Sample values for the contract suites. */
public final class ExecutionSamples {

    public static final Instant NOW = Instant.parse("2026-11-15T12:00:00.123456Z");
    public static final Target NODE = Target.parse("node/worker-1");

    private ExecutionSamples() {}

    /** Returns the n-th execution, created a second after the one before. */
    public static Execution execution(int number) {
        return execution("ops", number, "repair", NODE.canonical());
    }

    public static Execution execution(String namespace, int number, String workflow, String target) {
        return Execution.pending(
                new ExecutionRef(namespace, "e" + number, "uid-" + namespace + "-" + number),
                NOW.plusSeconds(number),
                ExecutionSpec.of(workflow, target, Map.of("DEPTH", "2")));
    }

    /** Returns the n-th execution, which waits instead of being skipped. */
    public static Execution waitingExecution(int number, String target) {
        return waitingExecution(number, "repair", target);
    }

    public static Execution waitingExecution(int number, String workflow, String target) {
        Execution execution = execution("ops", number, workflow, target);
        return Execution.pending(
                execution.ref(),
                execution.createdAt(),
                execution.spec().withConflict(new ConflictSettings(Optional.of(OnConflict.Wait), Optional.empty())));
    }

    /** Returns the status of an execution that waits for ten minutes at most. */
    public static ExecutionStatus.Pending waitingStatus() {
        return new ExecutionStatus.Pending()
                .because(
                        PendingReason.Waiting,
                        "the target is held",
                        NOW,
                        Optional.of(NOW.plus(Duration.ofMinutes(10))));
    }

    public static ExecutionStatus.Running runningStatus(Execution execution) {
        return new ExecutionStatus.Pending()
                .toRunning(runRef(execution), 7, NOW, new RunProgress(1, 3, "task 2 of 3: drain"));
    }

    public static ExecutionStatus.Completed completedStatus(Execution execution) {
        return runningStatus(execution).toCompleted(new RunProgress(3, 3, ""), NOW.plus(Duration.ofMinutes(1)));
    }

    public static RunRef runRef(Execution execution) {
        return new RunRef(
                "run-of-" + execution.ref().name(), "run-" + execution.ref().uid());
    }

    public static Held heldEntry(Execution by) {
        return heldEntry(LedgerEntry.initial(Target.parse(by.spec().targetResource())), by);
    }

    public static Held heldEntry(Free entry, Execution by) {
        RunRef run = runRef(by);
        return entry.acquire(new Holder(by.ref(), by.workflowId(), run.uid(), run.name(), NOW));
    }

    /** Returns the entry of a target that a failed execution has blocked. */
    public static Free blockedEntry(Execution by) {
        return heldEntry(by).release(new ExecutionOutcome.FailedDuringExecution("TaskFailed"), NOW);
    }

    public static Versioned<Execution> readExecution(ExecutionStore store, Execution execution) {
        return store.readExecution(execution.ref()).orElseThrow();
    }
}
