package dev.escapement.kubernetes.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.cluster.testing.ClusterExtension;
import dev.escapement.cluster.testing.TestCluster;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.port.WorkflowRunner.Observation;
import dev.escapement.engine.port.WorkflowRunner.Preparation;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** References to runs that cannot be seen from here. */
@ExtendWith(ClusterExtension.class)
class UnseenRunsTest {

    private final RunBench bench;
    private final KubernetesRuns runs;

    UnseenRunsTest(TestCluster cluster) {
        this.bench = RunBench.jobs(cluster);
        this.runs = bench.runs();
    }

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void nothingIsSaidOfARunInAnotherNamespace() {
        RunRef elsewhere = new RunRef("job/other/wfe-0a1b", "u-1");

        assertThat(everythingOf(elsewhere))
                .allSatisfy(call -> assertThatThrownBy(call)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("job/other/wfe-0a1b is in namespace other")
                        .hasMessageContaining(bench.namespace())
                        .hasMessageContaining("execution-namespace other"));
        assertThat(runs.read(elsewhere, 0, 1_000).text()).contains("kubectl logs -n other ");
    }

    @Test
    void nothingIsSaidOfARunWithoutItsExecutor() {
        RunRef tekton = new RunRef("pipelinerun/" + bench.namespace() + "/wfe-0a1b", "u-1");

        assertThat(everythingOf(tekton))
                .allSatisfy(call -> assertThatThrownBy(call)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining(tekton.name())
                        .hasMessageContaining("does not have, only job"));
    }

    private List<ThrowingCallable> everythingOf(RunRef run) {
        return List.of(
                () -> runs.observe(run),
                () -> runs.start(run, "1", 7),
                () -> runs.stop(run, "alice"),
                () -> runs.remove(run, "1"));
    }

    @Test
    void aReferenceWithoutANamespaceIsToARunHere() {
        Preparation.Ready ready = (Preparation.Ready) runs.prepare(bench.execution(1, "simulated.local/wait"));
        assertThat(ready.run().name()).startsWith("job/" + bench.namespace() + "/wfe-");
        RunRef old = new RunRef(
                ready.run().name().replace(bench.namespace() + "/", ""),
                ready.run().uid());

        assertThat(runs.observe(old)).isEqualTo(new Observation.Suspended(ready.version()));
        assertThat(runs.start(old, ready.version(), 7)).isTrue();
        assertThat(runs.observe(ready.run())).isInstanceOf(Observation.Running.class);
    }
}
