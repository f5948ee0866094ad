package dev.escapement.process.runner;

import static dev.escapement.process.runner.ProcessRunnerFixture.execution;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.RunProgress;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.port.WorkflowRunner.Observation;
import dev.escapement.engine.port.WorkflowRunner.Preparation;
import dev.escapement.governor.failure.Failure;
import dev.escapement.governor.failure.FailureReason;
import dev.escapement.governor.failure.StartStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Outcomes of runs, and their failure messages. */
class ProcessRunOutcomeTest {

    private final ProcessRunnerFixture fixture;

    ProcessRunOutcomeTest(@TempDir Path root) throws IOException {
        fixture = new ProcessRunnerFixture(root);
    }

    @AfterEach
    void close() throws IOException {
        fixture.close();
    }

    @Test
    void runsTasksInSequence() {
        fixture.writeWorkflow("three", "echo one", "echo two", "echo three");
        RunRef run = fixture.runToEnd("three", Map.of());
        assertThat(fixture.runner().observe(run))
                .isInstanceOfSatisfying(
                        Observation.Succeeded.class,
                        done -> assertThat(done.progress()).isEqualTo(new RunProgress(3, 3, "")));
        assertThat(fixture.readLog(run)).isEqualTo("""
                        --- task 1 of 3: task-1
                        one
                        --- task 2 of 3: task-2
                        two
                        --- task 3 of 3: task-3
                        three
                        """);
    }

    @Test
    void progressNamesCurrentTask() throws IOException {
        Path gate = fixture.createFifo("gate");
        fixture.writeWorkflow("waits", "true", "read line <" + gate, "true");
        RunRef run = fixture.start(execution("waits", 1, Map.of()));
        fixture.awaitChange();
        assertThat(fixture.runner().observe(run))
                .isEqualTo(new Observation.Running(new RunProgress(1, 3, "task 2 of 3: task-2")));
        Files.writeString(gate, "go\n");
        assertThat(fixture.awaitEnd(run)).isInstanceOf(Observation.Succeeded.class);
    }

    @Test
    void progressOfFirstTaskEqualsPreparedProgress() {
        Path gate = fixture.createFifo("gate");
        fixture.writeWorkflow("waits", "read line <" + gate);
        Execution execution = execution("waits", 1, Map.of());
        Preparation.Ready ready = fixture.prepare(execution);
        fixture.runner().start(ready.run(), ready.version(), 7);
        assertThat(fixture.runner().observe(ready.run())).isEqualTo(new Observation.Running(ready.progress()));
    }

    @Test
    void nonZeroExitCodeFailsTheRun() {
        fixture.writeWorkflow("fails", "echo fine", "echo no luck; exit 3", "echo never");
        RunRef run = fixture.runToEnd("fails", Map.of());
        Failure failure = fixture.awaitFailure(run);
        assertThat(failure.reason()).isEqualTo(FailureReason.TaskFailed);
        assertThat(failure.wasExecutionFailure()).isTrue();
        assertThat(failure.failedTaskName()).contains("task-2");
        assertThat(failure.failedTaskIndex()).contains(1);
        assertThat(failure.failedStepName()).contains("sh");
        assertThat(failure.exitCode()).contains(3);
        assertThat(failure.message()).isEqualTo("no luck");
        assertThat(failure.executionTimeBeforeFailure()).isPresent();
        assertThat(failure.naturalLanguageSummary()).contains("task 2 of 3");
        assertThat(fixture.readLog(run)).doesNotContain("never");
    }

    @Test
    void failureOfSilentTaskNamesExitCode() {
        fixture.writeWorkflow("fails", "exit 4");
        assertThat(fixture.awaitFailure("fails", Map.of()).message())
                .isEqualTo("task 1 of 1: task-1 ended with exit code 4 and printed nothing");
    }

    @Test
    void reportsSignalOfKilledTask() {
        fixture.writeWorkflow("killed", "kill -9 $$");
        assertThat(fixture.awaitFailure("killed", Map.of()).naturalLanguageSummary())
                .contains("killed by SIGKILL");
    }

    @Test
    void reportsExitCode137AsExitCode() {
        fixture.writeWorkflow("exits", "exit 137");
        Failure failure = fixture.awaitFailure("exits", Map.of());
        assertThat(failure.exitCode()).contains(137);
        assertThat(failure.naturalLanguageSummary()).contains("exit code 137");
    }

    @Test
    void exitCode127OfProgramIsNotMissingCommand() {
        fixture.writeWorkflow("exits", "exit 127");
        Failure failure = fixture.awaitFailure("exits", Map.of());
        assertThat(failure.reason()).isEqualTo(FailureReason.TaskFailed);
        assertThat(failure.wasExecutionFailure()).isTrue();
    }

    @Test
    void missingFirstCommandCountsAsNotStarted() throws IOException {
        Path program = createProgram("first");
        fixture.writeWorkflowYaml("vanishes", "tasks: [{name: only, command: [" + program + "]}]\n");
        Preparation.Ready ready = fixture.prepare(execution("vanishes", 1, Map.of()));
        Files.delete(program);
        fixture.runner().start(ready.run(), ready.version(), 7);
        Failure failure = fixture.awaitFailure(ready.run());
        assertThat(failure.reason()).isEqualTo(FailureReason.ConfigurationError);
        assertThat(failure.startStatus()).isEqualTo(StartStatus.NO);
        assertThat(failure.message()).contains("there is no " + program);
    }

    @Test
    void nonExecutableFirstCommandCountsAsNotStarted() throws IOException {
        Path program = createProgram("first");
        fixture.writeWorkflowYaml("loses", "tasks: [{name: only, command: [" + program + "]}]\n");
        Preparation.Ready ready = fixture.prepare(execution("loses", 1, Map.of()));
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rw-r--r--"));
        fixture.runner().start(ready.run(), ready.version(), 7);
        Failure failure = fixture.awaitFailure(ready.run());
        assertThat(failure.reason()).isEqualTo(FailureReason.ConfigurationError);
        assertThat(failure.startStatus()).isEqualTo(StartStatus.NO);
    }

    @Test
    void missingCommandOfLaterTaskCountsAsExecutionFailure() {
        fixture.writeWorkflowYaml("later", """
                tasks:
                  - {name: fine, command: ["true"]}
                  - {name: missing, command: [no-such-program-anywhere]}
                """);
        Failure failure = fixture.awaitFailure("later", Map.of());
        assertThat(failure.reason()).isEqualTo(FailureReason.ConfigurationError);
        assertThat(failure.wasExecutionFailure()).isTrue();
        assertThat(failure.failedTaskName()).contains("missing");
        assertThat(failure.message()).contains("no-such-program-anywhere");
    }

    @Test
    void missingWorkingDirectoryCountsAsNotStarted() throws IOException {
        Path folder = Files.createDirectory(fixture.root.resolve("there"));
        fixture.writeWorkflowYaml(
                "somewhere", "tasks: [{name: only, command: [\"true\"], workingDirectory: " + folder + "}]\n");
        Preparation.Ready ready = fixture.prepare(execution("somewhere", 1, Map.of()));
        Files.delete(folder);
        fixture.runner().start(ready.run(), ready.version(), 7);
        assertThat(fixture.awaitFailure(ready.run()).startStatus()).isEqualTo(StartStatus.NO);
    }

    @Test
    void terminatesLeftoverProcessesBeforeRunEnds() throws IOException {
        Path pid = fixture.root.resolve("pid");
        fixture.writeWorkflow("leaves", "sleep 600 & echo $! >" + pid);
        RunRef run = fixture.runToEnd("leaves", Map.of());
        assertThat(fixture.runner().observe(run)).isInstanceOf(Observation.Succeeded.class);
        assertThat(ProcessRunnerFixture.isAlive(pid)).isFalse();
        assertThat(fixture.readLog(run))
                .contains("left processes running")
                .contains(Files.readString(pid).strip());
    }

    @Test
    void doesNotReportEndingSupervisorAsLeftover() {
        fixture.writeWorkflow("quick", "true");
        for (int number = 1; number <= 40; number++) {
            RunRef run = fixture.start(execution("quick", number, Map.of()));
            fixture.awaitEnd(run);
            assertThat(fixture.readLog(run)).isEqualTo("--- task 1 of 1: task-1\n");
        }
    }

    @Test
    void terminatesDetachedProcesses() throws IOException {
        Path pid = fixture.root.resolve("pid");
        Path gate = fixture.createFifo("gate");
        // The process has its own session, no open output, and its parent has ended.
        fixture.writeWorkflow(
                "detaches",
                "setsid sh -c 'echo $$ >%s; echo >%s; exec sleep 600' </dev/null >/dev/null 2>&1 & read line <%s"
                        .formatted(pid, gate, gate));
        RunRef run = fixture.runToEnd("detaches", Map.of());
        assertThat(fixture.runner().observe(run)).isInstanceOf(Observation.Succeeded.class);
        assertThat(ProcessRunnerFixture.isAlive(pid)).isFalse();
    }

    private Path createProgram(String name) throws IOException {
        Path file = Files.writeString(fixture.root.resolve(name), "#!/bin/sh\n");
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
