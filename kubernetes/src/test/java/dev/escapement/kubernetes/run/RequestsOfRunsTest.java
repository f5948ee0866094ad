package dev.escapement.kubernetes.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.cluster.testing.ClusterExtension;
import dev.escapement.cluster.testing.TestCluster;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.port.WorkflowRunner.Observation;
import dev.escapement.engine.port.WorkflowRunner.Preparation;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a run costs the API server, in requests. */
@ExtendWith(ClusterExtension.class)
class RequestsOfRunsTest {

    private static final int SWITCHING_PROTOCOLS = 101;

    private final List<String> calls = new CopyOnWriteArrayList<>();
    private final RunBench bench;

    RequestsOfRunsTest(TestCluster cluster) {
        this.bench = RunBench.jobs(cluster, this::answered);
    }

    /** A watch that begins, at any time, is none of theirs. */
    private void answered(String method, int code) {
        if (code != SWITCHING_PROTOCOLS) {
            calls.add(method + " " + code);
        }
    }

    @AfterEach
    void close() {
        bench.close();
    }

    /** The client reads before it patches, unless it is told not to. */
    @Test
    void aRunIsPreparedStartedAndStoppedByOneRequestEach() {
        Execution execution = bench.execution(1, "simulated.local/hang");
        calls.clear();

        Preparation.Ready ready = (Preparation.Ready) bench.runs().prepare(execution);
        assertThat(calls).containsExactly("POST 201");
        calls.clear();

        assertThat(bench.runs().start(ready.run(), ready.version(), 7)).isTrue();
        assertThat(calls).containsExactly("PATCH 200");
        bench.running(execution);
        calls.clear();

        bench.runs().stop(ready.run(), "alice");
        assertThat(calls).containsExactly("PATCH 200");
    }

    @Test
    void lookingAtARunThatGoesOnCostsNothing() {
        Execution execution = bench.execution(1, "simulated.local/hang");
        var run = bench.go(execution);
        bench.running(execution);
        calls.clear();

        Observation seen =
                Eventually.is("a look", () -> Optional.of(bench.runs().observe(run)));

        assertThat(seen).isInstanceOf(Observation.Running.class);
        assertThat(calls).isEmpty();
    }
}
