package dev.escapement.storage;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.RunProgress;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.port.WorkflowRunner;
import dev.escapement.governor.ledger.ExecutionRef;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;

/** Runs that succeed when the test calls {@link #finish}. */
final class ManuallyFinishedRunner implements WorkflowRunner {

    private final Set<String> started = new HashSet<>();
    private final Set<String> finished = new HashSet<>();
    private final Instant now;

    ManuallyFinishedRunner(Instant now) {
        this.now = now;
    }

    void finish(Execution execution) {
        finished.add(runRef(execution.ref()).uid());
    }

    private static RunRef runRef(ExecutionRef execution) {
        return new RunRef("run-of-" + execution.name(), "run-" + execution.uid());
    }

    @Override
    public Preparation prepare(Execution execution) {
        return new Preparation.Ready(runRef(execution.ref()), "1", new RunProgress(0, 1, ""));
    }

    @Override
    public boolean start(RunRef run, String version, long epoch) {
        return started.add(run.uid());
    }

    @Override
    public Observation observe(RunRef run) {
        if (!started.contains(run.uid())) {
            return new Observation.Suspended("1");
        }
        return finished.contains(run.uid())
                ? new Observation.Succeeded(new RunProgress(1, 1, ""), now)
                : new Observation.Running(new RunProgress(0, 1, ""));
    }

    @Override
    public void stop(RunRef run, String by) {
        finished.add(run.uid());
    }

    @Override
    public boolean remove(RunRef run, String version) {
        return !started.contains(run.uid());
    }

    @Override
    public void removeSuspended(ExecutionRef execution) {}
}
