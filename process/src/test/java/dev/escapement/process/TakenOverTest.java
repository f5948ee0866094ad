package dev.escapement.process;

import static dev.escapement.process.Bench.execution;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.port.WorkflowRunner.Observation;
import dev.escapement.governor.failure.Failure;
import dev.escapement.governor.failure.FailureReason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that comes back ends the runs of executions that others carry on, or that are over, and keeps its own. */
class TakenOverTest {

    private static final int OURS = 1;
    private static final int THEIRS = 2;

    private final Bench bench;

    TakenOverTest(@TempDir Path root) throws IOException {
        bench = new Bench(root);
        bench.ours =
                execution -> execution.equals(execution("any", OURS, Map.of()).ref());
    }

    @AfterEach
    void close() throws IOException {
        bench.close();
    }

    private Path pid(int number) {
        return bench.root.resolve("pid-" + number);
    }

    /** A run whose task is known to have started. */
    private RunRef going(int number) throws IOException {
        Path ready = bench.fifo("ready-" + number);
        bench.workflow("w-" + number, "echo $$ >%s; echo >%s; exec sleep 600".formatted(pid(number), ready));
        RunRef run = bench.start(execution("w-" + number, number, Map.of()));
        Files.readString(ready);
        return run;
    }

    @Test
    void aRunThatOthersHaveRecordedAsLostIsEndedAndOursGoesOn() throws IOException {
        RunRef ours = going(OURS);
        RunRef theirs = going(THEIRS);
        bench.open();
        Failure failure = bench.failure(theirs);
        assertThat(failure.reason()).isEqualTo(FailureReason.Cancelled);
        assertThat(failure.message()).isEqualTo("cancelled by whoever carries its execution on now");
        assertThat(Bench.isAlive(pid(THEIRS))).isFalse();
        assertThat(bench.runner().observe(ours)).isInstanceOf(Observation.Running.class);
        assertThat(Bench.isAlive(pid(OURS))).isTrue();
    }

    @Test
    void aRunOfTheirsThatHasNotBegunIsRemovedAndOursWaits() {
        bench.workflow("w", "true");
        RunRef ours = bench.prepare(execution("w", OURS, Map.of())).run();
        RunRef theirs = bench.prepare(execution("w", THEIRS, Map.of())).run();
        assertThat(bench.open()).isZero();
        assertThat(bench.runner().observe(theirs)).isInstanceOf(Observation.Missing.class);
        assertThat(bench.folder(theirs)).doesNotExist();
        assertThat(bench.runner().observe(ours)).isInstanceOf(Observation.Suspended.class);
    }

    @Test
    void whatARunOfTheirsLeftBehindIsEndedToo() throws Exception {
        Path gate = bench.fifo("gate");
        // It holds nothing open, so that the supervisor does not wait for it.
        bench.workflow(
                "leaves",
                "setsid sleep 600 </dev/null >/dev/null 2>&1 & echo $! >%s; read line <%s"
                        .formatted(pid(THEIRS), gate));
        RunRef run = bench.start(execution("leaves", THEIRS, Map.of()));
        Claim claim = new RunFolder(bench.folder(run)).claim().orElseThrow();
        ProcessHandle supervisor =
                ProcessHandle.of(((Claim.Supervisor) claim).pid()).orElseThrow();
        bench.runner().close();
        Files.writeString(gate, "go\n");
        supervisor.onExit().get();
        bench.open();
        assertThat(bench.awaitEnd(run)).isInstanceOf(Observation.Succeeded.class);
        assertThat(Bench.isAlive(pid(THEIRS))).isFalse();
    }
}
