package dev.escapement.engine.contract;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionSpec;
import dev.escapement.engine.execution.Progress;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.execution.Status;
import dev.escapement.engine.port.Store;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.Holder;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Free;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import dev.escapement.governor.ledger.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/** Values for the suites. */
public final class Samples {

    public static final Instant NOW = Instant.parse("2026-11-15T12:00:00.123456Z");
    public static final Target NODE = Target.parse("node/worker-1");

    private Samples() {}

    /** The n-th execution: each is a second younger than the one before. */
    public static Execution execution(int number) {
        return execution("ops", number, "repair", NODE.canonical());
    }

    public static Execution execution(String namespace, int number, String workflow, String target) {
        return Execution.pending(
                new ExecutionRef(namespace, "e" + number, "uid-" + namespace + "-" + number),
                NOW.plusSeconds(number),
                ExecutionSpec.of(workflow, target, Map.of("DEPTH", "2")));
    }

    public static Status.Running running(Execution execution) {
        return new Status.Pending().run(run(execution), 7, NOW, new Progress(1, 3, "task 2 of 3: drain"));
    }

    public static Status.Completed completed(Execution execution) {
        return running(execution).complete(new Progress(3, 3, ""), NOW.plus(Duration.ofMinutes(1)));
    }

    public static RunRef run(Execution execution) {
        return new RunRef(
                "run-of-" + execution.ref().name(), "run-" + execution.ref().uid());
    }

    public static Held held(Execution by) {
        return held(LedgerEntry.fresh(Target.parse(by.spec().targetResource())), by);
    }

    public static Held held(Free entry, Execution by) {
        RunRef run = run(by);
        return entry.acquire(new Holder(by.ref(), by.workflow(), run.uid(), run.name(), NOW));
    }

    /** A target that a failed execution has blocked. */
    public static Free blocked(Execution by) {
        return held(by).release(new Outcome.FailedDuringExecution("TaskFailed"), NOW);
    }

    public static Versioned<Execution> read(Store store, Execution execution) {
        return store.execution(execution.ref()).orElseThrow();
    }
}
