package dev.escapement.kubernetes.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.port.WorkflowRunner.Observation;
import dev.escapement.engine.port.WorkflowRunner.Preparation;
import dev.escapement.testkit.ConditionPoller;
import dev.escapement.testkit.cluster.ClusterExtension;
import dev.escapement.testkit.cluster.TestCluster;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Counts the requests to the API server per run. */
@ExtendWith(ClusterExtension.class)
class RunApiRequestCountIT {

    private static final int SWITCHING_PROTOCOLS = 101;

    private final List<String> responses = new CopyOnWriteArrayList<>();
    private final RunTestBed testBed;

    RunApiRequestCountIT(TestCluster cluster) {
        this.testBed = RunTestBed.forJobs(cluster, this::recordResponse);
    }

    /** Ignores the responses that open a watch. */
    private void recordResponse(String method, int code) {
        if (code != SWITCHING_PROTOCOLS) {
            responses.add(method + " " + code);
        }
    }

    @AfterEach
    void close() {
        testBed.close();
    }

    /** The client reads an object before it patches it unless the object is passed to it. */
    @Test
    void preparesStartsAndStopsRunInOneRequestEach() {
        Execution execution = testBed.newExecution(1, "simulated.local/hang");
        responses.clear();

        Preparation.Ready ready = (Preparation.Ready) testBed.runnerService().prepare(execution);
        assertThat(responses).containsExactly("POST 201");
        responses.clear();

        assertThat(testBed.runnerService().start(ready.run(), ready.version(), 7))
                .isTrue();
        assertThat(responses).containsExactly("PATCH 200");
        testBed.awaitRunningPod(execution);
        responses.clear();

        testBed.runnerService().stop(ready.run(), "alice");
        assertThat(responses).containsExactly("PATCH 200");
    }

    @Test
    void observesRunningRunWithoutRequest() {
        Execution execution = testBed.newExecution(1, "simulated.local/hang");
        var run = testBed.startRun(execution);
        testBed.awaitRunningPod(execution);
        responses.clear();

        Observation observation = ConditionPoller.awaitPresent(
                "an observation", () -> Optional.of(testBed.runnerService().observe(run)));

        assertThat(observation).isInstanceOf(Observation.Running.class);
        assertThat(responses).isEmpty();
    }
}
