package dev.escapement.kubernetes.controller;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.port.WorkflowRunner;
import dev.escapement.governor.ledger.ExecutionRef;

/** The runner of tests that never reach a run. */
final class UnsupportedRunner implements WorkflowRunner {

    @Override
    public Preparation prepare(Execution execution) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean start(RunRef run, String version, long epoch) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Observation observe(RunRef run) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void stop(RunRef run, String by) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean remove(RunRef run, String version) {
        throw new UnsupportedOperationException();
    }

    /** There is none. */
    @Override
    public void removeSuspended(ExecutionRef execution) {}
}
