package dev.escapement.server.worker;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.port.WorkflowRunner;
import dev.escapement.governor.ledger.ExecutionRef;

/** Starts nothing while the lease is not held. What is refused here is asked for again. */
public final class LeasedRunner implements WorkflowRunner {

    private final WorkflowRunner runner;
    private final Lease lease;

    /** @param runner does the work */
    public LeasedRunner(WorkflowRunner runner, Lease lease) {
        this.runner = runner;
        this.lease = lease;
    }

    @Override
    public Preparation prepare(Execution execution) {
        requireLease(execution.ref().toString());
        return runner.prepare(execution);
    }

    @Override
    public boolean start(RunRef run, String version) {
        requireLease("run " + run.name());
        return runner.start(run, version);
    }

    private void requireLease(String what) {
        if (!lease.isHeld()) {
            throw new IllegalStateException(
                    what + " is not started: this server's lease was not renewed in time, so that others may have"
                            + " taken over");
        }
    }

    @Override
    public Observation observe(RunRef run) {
        return runner.observe(run);
    }

    @Override
    public void stop(RunRef run, String by) {
        runner.stop(run, by);
    }

    @Override
    public boolean remove(RunRef run, String version) {
        return runner.remove(run, version);
    }

    @Override
    public void removeSuspended(ExecutionRef execution) {
        runner.removeSuspended(execution);
    }
}
