package dev.escapement.server.standalone;

import dev.escapement.engine.contract.ExecutionSamples;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.RunProgress;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.port.RunnerService;
import dev.escapement.governor.ledger.ExecutionRef;
import java.util.function.Predicate;

/** A runner with one run, which ends when the test says so and sends no notification. */
public final class ControlledRunner implements RunnerService {

    private volatile Observation observation = new Observation.Suspended("1");

    /** Ends the run successfully, without a notification. */
    public void succeed() {
        observation = new Observation.Succeeded(RunProgress.UNKNOWN, ExecutionSamples.NOW);
    }

    @Override
    public Preparation prepare(Execution execution) {
        return new Preparation.Ready(ExecutionSamples.runRef(execution), "1", RunProgress.UNKNOWN);
    }

    @Override
    public boolean start(RunRef run, String version, long epoch) {
        observation = new Observation.Running(RunProgress.UNKNOWN);
        return true;
    }

    @Override
    public Observation observe(RunRef run) {
        return observation;
    }

    @Override
    public void stop(RunRef run, String by) {}

    @Override
    public boolean remove(RunRef run, String version) {
        return true;
    }

    @Override
    public void removeSuspended(ExecutionRef execution) {}

    @Override
    public int recover(Predicate<ExecutionRef> ours) {
        return 0;
    }

    @Override
    public void deleteRunData(ExecutionRef execution) {}

    @Override
    public Chunk read(RunRef run, long from, int limit) {
        return new Chunk("", from, true);
    }

    @Override
    public void close() {}
}
