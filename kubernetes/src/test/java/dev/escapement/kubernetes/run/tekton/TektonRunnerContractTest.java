package dev.escapement.kubernetes.run.tekton;

import dev.escapement.cluster.testing.ClusterExtension;
import dev.escapement.cluster.testing.TestCluster;
import dev.escapement.engine.contract.WorkflowRunnerContract;
import dev.escapement.kubernetes.run.RunBench;
import dev.escapement.kubernetes.run.RunWorld;
import dev.escapement.kubernetes.run.tekton.Pipelines.Task;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;

/** With a real Tekton, whose pods are simulated. */
@ExtendWith(ClusterExtension.class)
class TektonRunnerContractTest extends WorkflowRunnerContract {

    private final TestCluster cluster;
    private final RunBench bench;

    TektonRunnerContractTest(TestCluster cluster) {
        this.cluster = cluster;
        this.bench = RunBench.tekton(cluster);
    }

    @Override
    protected Fixture open() {
        String bundle = Pipelines.bundle(cluster, Task.of("wait", "simulated.local/wait"));
        return new RunWorld(bench, bundle);
    }

    @AfterEach
    void close() {
        bench.close();
    }
}
