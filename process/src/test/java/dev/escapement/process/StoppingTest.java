package dev.escapement.process;

import static dev.escapement.process.Bench.execution;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionConfig;
import dev.escapement.engine.execution.ExecutionSpec;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.port.WorkflowRunner.Observation;
import dev.escapement.governor.failure.Failure;
import dev.escapement.governor.failure.FailureReason;
import dev.escapement.governor.failure.StartStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Cancelling and timeouts end everything that belongs to a run. */
class StoppingTest {

    private final Bench bench;
    private final Path ready;
    private final Path pid;

    StoppingTest(@TempDir Path root) throws IOException {
        bench = new Bench(root);
        bench.settings = bench.settings.withGrace(Duration.ofMillis(500));
        ready = bench.fifo("ready");
        pid = root.resolve("pid");
    }

    @AfterEach
    void close() throws IOException {
        bench.close();
    }

    /** Starts a workflow and waits until its task says so. */
    private RunRef startedAndReady(String script, String... later) throws IOException {
        String[] scripts = new String[later.length + 1];
        scripts[0] = script.replace("READY", "echo ready >" + ready);
        System.arraycopy(later, 0, scripts, 1, later.length);
        bench.workflow("w", scripts);
        RunRef run = bench.start(execution("w", 1, Map.of()));
        assertThat(Files.readString(ready)).isEqualTo("ready\n");
        return run;
    }

    private Failure cancelled(RunRef run) {
        bench.runner().stop(run, "alice");
        Failure failure = bench.failure(run);
        assertThat(failure.reason()).isEqualTo(FailureReason.Cancelled);
        assertThat(failure.message()).isEqualTo("cancelled by alice");
        return failure;
    }

    @Test
    void theWholeTreeIsEndedAndNoFurtherTaskBegins() throws IOException {
        RunRef run = startedAndReady("(sleep 600; echo) & echo $! >" + pid + "; READY; sleep 600", "echo next");
        Failure failure = cancelled(run);
        assertThat(failure.startStatus()).isEqualTo(StartStatus.YES);
        assertThat(failure.failedTaskName()).contains("task-1");
        assertThat(Bench.isAlive(pid)).isFalse();
        assertThat(bench.log(run)).doesNotContain("next");
    }

    @Test
    void aTaskMayTidyUpWhenItIsToldToEnd() throws IOException {
        bench.settings = bench.settings.withGrace(Duration.ofMinutes(1));
        RunRef run = startedAndReady("trap 'echo tidied up; exit 0' TERM; READY; while :; do sleep 0.05; done");
        cancelled(run);
        assertThat(bench.log(run)).contains("tidied up");
    }

    @Test
    void aTaskThatDoesNotListenIsKilled() throws IOException {
        RunRef run = startedAndReady("trap '' TERM; echo $$ >" + pid + "; READY; while :; do sleep 0.05; done");
        assertThat(cancelled(run).naturalLanguageSummary()).contains("SIGKILL");
        assertThat(Bench.isAlive(pid)).isFalse();
    }

    @Test
    void aDaemonThatIgnoresEverythingIsKilledToo() throws IOException {
        RunRef run = startedAndReady(
                "setsid sh -c 'trap \"\" TERM HUP; echo $$ >%s; READY; while :; do sleep 0.05; done' & sleep 600"
                        .formatted(pid));
        cancelled(run);
        assertThat(Bench.isAlive(pid)).isFalse();
    }

    @Test
    void cancellingARunWhoseSupervisorIsStoppedWorksAllTheSame() throws Exception {
        RunRef run = startedAndReady("READY; sleep 600");
        Claim claim = new RunFolder(bench.folder(run)).claim().orElseThrow();
        long supervisor = ((Claim.Supervisor) claim).pid();
        assertThat(new ProcessBuilder("kill", "-STOP", Long.toString(supervisor))
                        .start()
                        .waitFor())
                .isZero();
        assertThat(cancelled(run).wasExecutionFailure()).isTrue();
    }

    @Test
    void aCancellationOutlivesTheServer() throws IOException {
        RunRef run = startedAndReady("trap '' TERM; READY; while :; do sleep 0.05; done");
        bench.runner().stop(run, "alice");
        bench.open();
        assertThat(bench.failure(run).reason()).isEqualTo(FailureReason.Cancelled);
    }

    @Test
    void cancellingBeforeAnyTaskBeganMeansThatNothingRan() throws IOException {
        bench.workflow("w", "echo never");
        RunRef run = bench.prepare(execution("w", 1, Map.of())).run();
        new RunFolder(bench.folder(run)).requestStop(Stop.cancelled("alice"), "0");
        bench.runner().start(run, Preparer.SUSPENDED, 7);
        Failure failure = bench.failure(run);
        assertThat(failure.reason()).isEqualTo(FailureReason.Cancelled);
        assertThat(failure.startStatus()).isEqualTo(StartStatus.NO);
        assertThat(bench.log(run)).doesNotContain("never");
    }

    @Test
    void aTaskHasItsTimeout() throws IOException {
        bench.write("slow", """
                tasks:
                  - {name: quick, command: ["true"], timeout: 1h}
                  - {name: slow, command: [sleep, 600], timeout: 300ms}
                """);
        Failure failure = bench.failure("slow", Map.of());
        assertThat(failure.reason()).isEqualTo(FailureReason.DeadlineExceeded);
        assertThat(failure.message()).isEqualTo("task 2 of 2: slow took longer than 300ms");
        assertThat(failure.failedTaskName()).contains("slow");
        assertThat(failure.wasExecutionFailure()).isTrue();
    }

    @Test
    void aWorkflowHasItsTimeout() {
        bench.write("slow", "timeout: 300ms\ntasks: [{name: slow, command: [sleep, 600]}]\n");
        assertThat(bench.failure("slow", Map.of()).message()).isEqualTo("the run took longer than 300ms");
    }

    @Test
    void anExecutionsOwnTimeoutTakesItsPlace() {
        bench.write("slow", "timeout: 100ms\ntasks: [{name: slow, command: [sleep, 0.4]}]\n");
        RunRef longer = bench.start(withTimeout("slow", 1, Duration.ofHours(1)));
        assertThat(bench.awaitEnd(longer)).isInstanceOf(Observation.Succeeded.class);
        bench.write("slower", "tasks: [{name: slow, command: [sleep, 600]}]\n");
        RunRef shorter = bench.start(withTimeout("slower", 2, Duration.ofMillis(200)));
        assertThat(bench.failure(shorter).reason()).isEqualTo(FailureReason.DeadlineExceeded);
    }

    @Test
    void aDeadlineIsKeptByTheNextServer() {
        bench.write("slow", "timeout: 1s\ntasks: [{name: slow, command: [sleep, 600]}]\n");
        RunRef run = bench.start(execution("slow", 1, Map.of()));
        bench.open();
        assertThat(bench.failure(run).reason()).isEqualTo(FailureReason.DeadlineExceeded);
    }

    private static Execution withTimeout(String workflow, int number, Duration timeout) {
        Execution execution = execution(workflow, number, Map.of());
        ExecutionSpec spec = execution.spec();
        return Execution.pending(
                execution.ref(),
                Bench.NOW,
                new ExecutionSpec(
                        spec.workflow(),
                        spec.targetResource(),
                        spec.parameters(),
                        Optional.empty(),
                        Optional.empty(),
                        "",
                        new ExecutionConfig(Optional.of(timeout), "", "")));
    }
}
