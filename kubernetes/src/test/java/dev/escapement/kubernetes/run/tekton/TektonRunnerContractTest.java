package dev.escapement.kubernetes.run.tekton;

import dev.escapement.engine.contract.RunnerContract;
import dev.escapement.kubernetes.run.KubernetesRuns;
import dev.escapement.kubernetes.run.RunBench;
import dev.escapement.kubernetes.run.RunWorld;
import dev.escapement.kubernetes.run.tekton.Pipelines.Task;
import org.junit.jupiter.api.AfterEach;

/** With a real Tekton, whose pods are simulated. */
class TektonRunnerContractTest extends RunnerContract {

    private final RunBench bench = RunBench.open();

    @Override
    protected World open() {
        String bundle = Pipelines.bundle(Task.of("wait", "simulated.local/wait"));
        return new RunWorld(bench, KubernetesRuns.TEKTON, bundle);
    }

    @AfterEach
    void close() {
        bench.close();
    }
}
