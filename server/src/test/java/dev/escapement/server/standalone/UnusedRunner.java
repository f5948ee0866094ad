package dev.escapement.server.standalone;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.port.WorkflowRunner;
import dev.escapement.governor.ledger.ExecutionRef;

/** A runner for tests in which nothing may run. */
public final class UnusedRunner implements WorkflowRunner {

    @Override
    public Preparation prepare(Execution execution) {
        throw new AssertionError("nothing should run");
    }

    @Override
    public boolean start(RunRef run, String version, long epoch) {
        throw new AssertionError("nothing should run");
    }

    @Override
    public Observation observe(RunRef run) {
        return new Observation.Missing();
    }

    @Override
    public void stop(RunRef run, String by) {}

    @Override
    public boolean remove(RunRef run, String version) {
        return true;
    }

    @Override
    public void removeSuspended(ExecutionRef execution) {}
}
