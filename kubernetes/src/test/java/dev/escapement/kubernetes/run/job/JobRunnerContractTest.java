package dev.escapement.kubernetes.run.job;

import dev.escapement.engine.contract.RunnerContract;
import dev.escapement.kubernetes.run.KubernetesRuns;
import dev.escapement.kubernetes.run.RunBench;
import dev.escapement.kubernetes.run.RunWorld;
import org.junit.jupiter.api.AfterEach;

/** With real Jobs, whose pods are simulated. */
class JobRunnerContractTest extends RunnerContract {

    private final RunBench bench = RunBench.open();

    @Override
    protected World open() {
        return new RunWorld(bench, KubernetesRuns.JOB, "simulated.local/wait");
    }

    @AfterEach
    void close() {
        bench.close();
    }
}
