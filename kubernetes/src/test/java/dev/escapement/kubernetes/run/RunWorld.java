package dev.escapement.kubernetes.run;

import dev.escapement.engine.contract.WorkflowRunnerContract;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.port.WorkflowRunner;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Runs of one executor for the contract: each waits for a word about how to end.
 *
 * @param image the image or bundle that does so
 */
public record RunWorld(RunBench bench, String image, Map<String, Execution> known)
        implements WorkflowRunnerContract.Fixture {

    public RunWorld(RunBench bench, String image) {
        this(bench, image, new ConcurrentHashMap<>());
    }

    @Override
    public WorkflowRunner runner() {
        return bench.runs();
    }

    @Override
    public Execution execution(int number) {
        Execution execution = bench.execution(number, image);
        known.put(RunLabels.metadata(execution, bench.namespace()).getName(), execution);
        return execution;
    }

    @Override
    public Execution executionOfUnknownWorkflow() {
        return bench.execution(9, "");
    }

    @Override
    public String epoch(RunRef run) {
        return bench.annotation(run, RunLabels.EPOCH);
    }

    @Override
    public void endRun(RunRef run, boolean well) {
        String name = run.name().substring(run.name().lastIndexOf('/') + 1);
        Execution execution = Optional.ofNullable(known.get(name)).orElseThrow();
        bench.end(execution, well ? "succeed" : "exit:3");
        bench.ended(run);
    }

    @Override
    public void awaitStopped(RunRef run) {
        bench.ended(run);
    }
}
