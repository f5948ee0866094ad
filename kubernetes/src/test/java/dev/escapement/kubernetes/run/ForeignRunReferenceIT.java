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

/** References to runs in another namespace or of a missing executor. */
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
        RunRef foreignRun = new RunRef("job/other/wfe-0a1b", "u-1");

        assertThat(allCallsOn(foreignRun))
                .allSatisfy(call -> assertThatThrownBy(call)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("job/other/wfe-0a1b is in namespace other")
                        .hasMessageContaining(testBed.namespace())
                        .hasMessageContaining("execution-namespace other"));
        assertThat(runnerService.read(foreignRun, 0, 1_000).text()).contains("kubectl logs -n other ");
    }

    @Test
    void throwsForRunOfUnknownExecutor() {
        RunRef pipelineRun = new RunRef("pipelinerun/" + testBed.namespace() + "/wfe-0a1b", "u-1");

        assertThat(allCallsOn(pipelineRun))
                .allSatisfy(call -> assertThatThrownBy(call)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining(pipelineRun.name())
                        .hasMessageContaining("does not have (it has job)"));
    }

    /** An API server with an older definition drops kind and namespace from the status. */
    @Test
    void resolvesReferenceThatIsOnlyAName() {
        Preparation.Ready ready =
                (Preparation.Ready) runnerService.prepare(testBed.newExecution(2, "simulated.local/wait"));
        String name = ready.run().name();
        RunRef onlyName = new RunRef(
                name.substring(name.lastIndexOf('/') + 1), ready.run().uid());

        assertThat(runnerService.observe(onlyName)).isEqualTo(new Observation.Suspended(ready.version()));
        assertThat(runnerService.observe(new RunRef(onlyName.name(), "another")))
                .isInstanceOf(Observation.Missing.class);
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
        RunRef shortReference = new RunRef(
                ready.run().name().replace(testBed.namespace() + "/", ""),
                ready.run().uid());

        assertThat(runnerService.observe(shortReference)).isEqualTo(new Observation.Suspended(ready.version()));
        assertThat(runnerService.start(shortReference, ready.version(), 7)).isTrue();
        assertThat(runnerService.observe(ready.run()))
                .isInstanceOfAny(Observation.Running.class, Observation.Stalled.class);
    }
}
