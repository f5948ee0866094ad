package dev.escapement.kubernetes.run;

import dev.escapement.engine.contract.WorkflowRunnerContract;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.port.WorkflowRunner;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The fixture of the runner contract for one executor. Each run waits until the test ends it.
 *
 * @param image an image or bundle that waits
 */
public record KubernetesRunnerFixture(RunTestBed testBed, String image, Map<String, Execution> executionsByRunName)
        implements WorkflowRunnerContract.Fixture {

    public KubernetesRunnerFixture(RunTestBed testBed, String image) {
        this(testBed, image, new ConcurrentHashMap<>());
    }

    @Override
    public WorkflowRunner runner() {
        return testBed.runnerService();
    }

    @Override
    public Execution execution(int number) {
        Execution execution = testBed.newExecution(number, image);
        executionsByRunName.put(
                RunLabels.newRunMetadata(execution, testBed.namespace()).getName(), execution);
        return execution;
    }

    @Override
    public Execution executionOfUnknownWorkflow() {
        return testBed.newExecution(9, "");
    }

    @Override
    public String epoch(RunRef run) {
        return testBed.annotation(run, RunLabels.EPOCH);
    }

    @Override
    public void endRun(RunRef run, boolean success) {
        String name = run.name().substring(run.name().lastIndexOf('/') + 1);
        Execution execution = Optional.ofNullable(executionsByRunName.get(name)).orElseThrow();
        testBed.endPod(execution, success ? "succeed" : "exit:3");
        testBed.awaitEnd(run);
    }

    @Override
    public void awaitStopped(RunRef run) {
        testBed.awaitEnd(run);
    }
}
