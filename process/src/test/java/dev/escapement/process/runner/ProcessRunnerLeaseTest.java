package dev.escapement.process.runner;

import static dev.escapement.process.runner.ProcessRunnerFixture.execution;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.execution.RunProgress;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.port.WorkflowRunner.Observation;
import dev.escapement.engine.port.WorkflowRunner.Preparation;
import dev.escapement.governor.failure.Failure;
import dev.escapement.governor.failure.StartStatus;
import dev.escapement.process.runner.RunnerSettings.ServerLeaseView;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs of other servers, and starts with and without a valid lease. */
class ProcessRunnerLeaseTest {

    private static final RunRef RUN_ON_OTHER_SERVER = new RunRef("server-2/00000000-0000", "some-uid");

    private final ProcessRunnerFixture fixture;
    private final Path effect;

    ProcessRunnerLeaseTest(@TempDir Path root) throws IOException {
        fixture = new ProcessRunnerFixture(root);
        effect = root.resolve("effect");
        fixture.writeWorkflow("acts", "echo acted >" + effect);
    }

    @AfterEach
    void close() throws IOException {
        fixture.close();
    }

    private void setLeaseUntil(Instant until) {
        fixture.leases = new ServerLeaseView(server -> false, () -> Optional.of(until));
    }

    @Test
    void reportsRunOfGoneServerAsLostDuringExecution() {
        fixture.leases = new ServerLeaseView("server-2"::equals, Optional::empty);
        Failure failure = fixture.awaitFailure(RUN_ON_OTHER_SERVER);
        assertThat(failure.wasExecutionFailure()).isTrue();
        assertThat(failure.message())
                .isEqualTo("server server-2, which ran this run, is gone; the run may still be active there: check that"
                        + " it has ended before you clear the target");
    }

    @Test
    void doesNotTouchRunOfLiveServer() {
        fixture.leases = new ServerLeaseView(server -> false, Optional::empty);
        fixture.runner().stop(RUN_ON_OTHER_SERVER, "alice");
        assertThat(fixture.runner().start(RUN_ON_OTHER_SERVER, RunPreparer.SUSPENDED_VERSION, 7))
                .isFalse();
        assertThat(fixture.runner().remove(RUN_ON_OTHER_SERVER, RunPreparer.SUSPENDED_VERSION))
                .isFalse();
        assertThat(fixture.runner().observe(RUN_ON_OTHER_SERVER))
                .isEqualTo(new Observation.Running(RunProgress.UNKNOWN));
        assertThat(ProcessRunner.serverIdOf(RUN_ON_OTHER_SERVER)).isEqualTo("server-2");
    }

    @Test
    void doesNotStartRunWithoutValidLease() {
        setLeaseUntil(Instant.parse("2020-01-01T00:00:00Z"));
        Preparation.Ready ready = fixture.prepare(execution("acts", 1, Map.of()));
        assertThat(fixture.runner().start(ready.run(), ready.version(), 7)).isFalse();
        assertThat(fixture.runner().observe(ready.run())).isInstanceOf(Observation.Suspended.class);
        assertThat(effect).doesNotExist();
    }

    @Test
    void supervisorRefusesToStartAfterLeaseExpired() {
        // The server's clock is slow, so that its lease seems valid; the supervisor uses the clock of the system.
        fixture.clock = InstantSource.fixed(Instant.parse("2019-01-01T00:00:00Z"));
        setLeaseUntil(Instant.parse("2020-01-01T00:00:00Z"));
        RunRef run = fixture.start(execution("acts", 1, Map.of()));
        Failure failure = fixture.awaitFailure(run);
        assertThat(failure.startStatus()).isEqualTo(StartStatus.NO);
        assertThat(failure.message()).contains("lease of the server expired");
        assertThat(effect).doesNotExist();
    }

    @Test
    void startsRunWithValidLease() {
        setLeaseUntil(Instant.parse("2999-01-01T00:00:00Z"));
        RunRef run = fixture.start(execution("acts", 1, Map.of()));
        assertThat(fixture.awaitEnd(run)).isInstanceOf(Observation.Succeeded.class);
        assertThat(effect).hasContent("acted");
    }

    @Test
    void runNameStartsWithServerId() {
        assertThat(fixture.prepare(execution("acts", 1, Map.of())).run().name())
                .isEqualTo("server-1/00000000-0000-0000-0000-000000000001");
    }
}
