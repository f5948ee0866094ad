package dev.escapement.kubernetes.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.port.WorkflowRunner.Observation;
import dev.escapement.engine.port.WorkflowRunner.Preparation;
import dev.escapement.testkit.cluster.ClusterExtension;
import dev.escapement.testkit.cluster.TestCluster;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** References to runs that cannot be seen from here. */
@ExtendWith(ClusterExtension.class)
class ForeignRunReferenceIT {

    private final RunTestBed testBed;
    private final KubernetesRunnerService runnerService;

    ForeignRunReferenceIT(TestCluster cluster) {
        this.testBed = RunTestBed.forJobs(cluster);
        this.runnerService = testBed.runnerService();
    }

    @AfterEach
    void close() {
        testBed.close();
    }

    @Test
    void throwsForRunInOtherNamespace() {
        RunRef elsewhere = new RunRef("job/other/wfe-0a1b", "u-1");

        assertThat(allCallsOn(elsewhere))
                .allSatisfy(call -> assertThatThrownBy(call)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("job/other/wfe-0a1b is in namespace other")
                        .hasMessageContaining(testBed.namespace())
                        .hasMessageContaining("execution-namespace other"));
        assertThat(runnerService.read(elsewhere, 0, 1_000).text()).contains("kubectl logs -n other ");
    }

    @Test
    void throwsForRunOfUnknownExecutor() {
        RunRef tekton = new RunRef("pipelinerun/" + testBed.namespace() + "/wfe-0a1b", "u-1");

        assertThat(allCallsOn(tekton))
                .allSatisfy(call -> assertThatThrownBy(call)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining(tekton.name())
                        .hasMessageContaining("does not have (it has job)"));
    }

    private List<ThrowingCallable> allCallsOn(RunRef run) {
        return List.of(
                () -> runnerService.observe(run),
                () -> runnerService.start(run, "1", 7),
                () -> runnerService.stop(run, "alice"),
                () -> runnerService.remove(run, "1"));
    }

    @Test
    void resolvesReferenceWithoutNamespaceLocally() {
        Preparation.Ready ready =
                (Preparation.Ready) runnerService.prepare(testBed.newExecution(1, "simulated.local/wait"));
        assertThat(ready.run().name()).startsWith("job/" + testBed.namespace() + "/wfe-");
        RunRef old = new RunRef(
                ready.run().name().replace(testBed.namespace() + "/", ""),
                ready.run().uid());

        assertThat(runnerService.observe(old)).isEqualTo(new Observation.Suspended(ready.version()));
        assertThat(runnerService.start(old, ready.version(), 7)).isTrue();
        assertThat(runnerService.observe(ready.run())).isInstanceOf(Observation.Running.class);
    }
}
