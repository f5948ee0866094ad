package dev.escapement.server;

import dev.escapement.engine.contract.Samples;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.Progress;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.port.Runs;
import dev.escapement.governor.ledger.ExecutionRef;
import java.util.function.Predicate;

/** One run, which goes on until it is told otherwise, and then says nothing of it. */
public final class OneRun implements Runs {

    private volatile Observation seen = new Observation.Suspended("1");

    /** It ends well, and nobody is told. */
    public void succeed() {
        seen = new Observation.Succeeded(Progress.NONE, Samples.NOW);
    }

    @Override
    public Preparation prepare(Execution execution) {
        return new Preparation.Ready(Samples.run(execution), "1", Progress.NONE);
    }

    @Override
    public boolean start(RunRef run, String version, long epoch) {
        seen = new Observation.Going(Progress.NONE);
        return true;
    }

    @Override
    public Observation observe(RunRef run) {
        return seen;
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
    public void forget(ExecutionRef execution) {}

    @Override
    public Chunk read(RunRef run, long from, int limit) {
        return new Chunk("", from, true);
    }

    @Override
    public void close() {}
}
