package dev.escapement.kubernetes.run.job;

import dev.escapement.engine.contract.WorkflowRunnerContract;
import dev.escapement.kubernetes.run.KubernetesRunnerFixture;
import dev.escapement.kubernetes.run.RunTestBed;
import dev.escapement.testkit.cluster.ClusterExtension;
import dev.escapement.testkit.cluster.TestCluster;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;

/** Runs the runner contract with real Jobs and simulated pods. */
@ExtendWith(ClusterExtension.class)
class JobRunnerContractIT extends WorkflowRunnerContract {

    private final RunTestBed testBed;

    JobRunnerContractIT(TestCluster cluster) {
        this.testBed = RunTestBed.forJobs(cluster);
    }

    @Override
    protected Fixture open() {
        return new KubernetesRunnerFixture(testBed, "simulated.local/wait");
    }

    @AfterEach
    void close() {
        testBed.close();
    }
}
