package dev.escapement.kubernetes.run.tekton;

import dev.escapement.engine.contract.WorkflowRunnerContract;
import dev.escapement.kubernetes.run.KubernetesRunnerFixture;
import dev.escapement.kubernetes.run.RunTestBed;
import dev.escapement.kubernetes.run.tekton.PipelineBundles.PipelineTask;
import dev.escapement.testkit.cluster.ClusterExtension;
import dev.escapement.testkit.cluster.TestCluster;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;

/** Runs the runner contract with a real Tekton and simulated pods. */
@ExtendWith(ClusterExtension.class)
class TektonRunnerContractIT extends WorkflowRunnerContract {

    private final TestCluster cluster;
    private final RunTestBed testBed;

    TektonRunnerContractIT(TestCluster cluster) {
        this.cluster = cluster;
        this.testBed = RunTestBed.forTekton(cluster);
    }

    @Override
    protected Fixture open() {
        String bundle = PipelineBundles.pushBundle(cluster, PipelineTask.of("wait", "simulated.local/wait"));
        return new KubernetesRunnerFixture(testBed, bundle);
    }

    @AfterEach
    void close() {
        testBed.close();
    }
}
