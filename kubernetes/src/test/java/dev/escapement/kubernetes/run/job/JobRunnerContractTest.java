package dev.escapement.kubernetes.run.job;

import dev.escapement.cluster.testing.ClusterExtension;
import dev.escapement.cluster.testing.TestCluster;
import dev.escapement.engine.contract.WorkflowRunnerContract;
import dev.escapement.kubernetes.run.RunBench;
import dev.escapement.kubernetes.run.RunWorld;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;

/** With real Jobs, whose pods are simulated. */
@ExtendWith(ClusterExtension.class)
class JobRunnerContractTest extends WorkflowRunnerContract {

    private final RunBench bench;

    JobRunnerContractTest(TestCluster cluster) {
        this.bench = RunBench.jobs(cluster);
    }

    @Override
    protected Fixture open() {
        return new RunWorld(bench, "simulated.local/wait");
    }

    @AfterEach
    void close() {
        bench.close();
    }
}
