package dev.escapement.process;

import static dev.escapement.process.Bench.execution;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.execution.RunProgress;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.port.WorkflowRunner.Observation;
import dev.escapement.engine.port.WorkflowRunner.Preparation;
import dev.escapement.governor.failure.Failure;
import dev.escapement.governor.failure.StartStatus;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several servers on one database: each has its own runs, and a lease. */
class FleetTest {

    private static final RunRef ELSEWHERE = new RunRef("server-2/00000000-0000", "some-uid");

    private final Bench bench;
    private final Path effect;

    FleetTest(@TempDir Path root) throws IOException {
        bench = new Bench(root);
        effect = root.resolve("effect");
        bench.workflow("acts", "echo acted >" + effect);
    }

    @AfterEach
    void close() throws IOException {
        bench.close();
    }

    private void leaseUntil(Instant until) {
        bench.fleet = new Fleet(server -> false, () -> Optional.of(until));
    }

    @Test
    void aRunOfAServerThatIsGoneIsLostAndCountsAsHavingRun() {
        bench.fleet = new Fleet("server-2"::equals, Optional::empty);
        Failure failure = bench.failure(ELSEWHERE);
        assertThat(failure.wasExecutionFailure()).isTrue();
        assertThat(failure.message()).isEqualTo("server server-2, which ran it, is gone");
    }

    @Test
    void aRunOfAServerThatLivesGoesOnAndIsLeftAlone() {
        bench.fleet = new Fleet(server -> false, Optional::empty);
        bench.runner().stop(ELSEWHERE, "alice");
        assertThat(bench.runner().start(ELSEWHERE, Preparer.SUSPENDED, 7)).isFalse();
        assertThat(bench.runner().remove(ELSEWHERE, Preparer.SUSPENDED)).isFalse();
        assertThat(bench.runner().observe(ELSEWHERE)).isEqualTo(new Observation.Running(RunProgress.UNKNOWN));
        assertThat(ProcessRunner.serverOf(ELSEWHERE)).isEqualTo("server-2");
    }

    @Test
    void whoHasNoLeaseLetsNothingGoAndTheRunWaits() {
        leaseUntil(Instant.parse("2020-01-01T00:00:00Z"));
        Preparation.Ready ready = bench.prepare(execution("acts", 1, Map.of()));
        assertThat(bench.runner().start(ready.run(), ready.version(), 7)).isFalse();
        assertThat(bench.runner().observe(ready.run())).isInstanceOf(Observation.Suspended.class);
        assertThat(effect).doesNotExist();
    }

    @Test
    void nothingBeginsAfterTheLeaseAndThatIsCertain() {
        // The server's clock is late, so that it believes in its lease; the supervisor looks for itself.
        bench.clock = InstantSource.fixed(Instant.parse("2019-01-01T00:00:00Z"));
        leaseUntil(Instant.parse("2020-01-01T00:00:00Z"));
        RunRef run = bench.start(execution("acts", 1, Map.of()));
        Failure failure = bench.failure(run);
        assertThat(failure.startStatus()).isEqualTo(StartStatus.NO);
        assertThat(failure.message()).contains("lease ran out");
        assertThat(effect).doesNotExist();
    }

    @Test
    void underALeaseRunsBegin() {
        leaseUntil(Instant.parse("2999-01-01T00:00:00Z"));
        RunRef run = bench.start(execution("acts", 1, Map.of()));
        assertThat(bench.awaitEnd(run)).isInstanceOf(Observation.Succeeded.class);
        assertThat(effect).hasContent("acted");
    }

    @Test
    void aRunIsNamedAfterItsServer() {
        assertThat(bench.prepare(execution("acts", 1, Map.of())).run().name())
                .isEqualTo("server-1/00000000-0000-0000-0000-000000000001");
    }
}
