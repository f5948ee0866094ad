package dev.escapement.process;

import static dev.escapement.process.Bench.execution;
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

/** How runs end, and what is said about it. */
class OutcomesTest {

    private final Bench bench;

    OutcomesTest(@TempDir Path root) throws IOException {
        bench = new Bench(root);
    }

    @AfterEach
    void close() throws IOException {
        bench.close();
    }

    @Test
    void tasksRunOneAfterTheOther() {
        bench.workflow("three", "echo one", "echo two", "echo three");
        RunRef run = bench.run("three", Map.of());
        assertThat(bench.runner().observe(run))
                .isInstanceOfSatisfying(
                        Observation.Succeeded.class,
                        done -> assertThat(done.progress()).isEqualTo(new RunProgress(3, 3, "")));
        assertThat(bench.log(run)).isEqualTo("""
                        --- task 1 of 3: task-1
                        one
                        --- task 2 of 3: task-2
                        two
                        --- task 3 of 3: task-3
                        three
                        """);
    }

    @Test
    void progressSaysWhichTaskItIsAt() throws IOException {
        Path gate = bench.fifo("gate");
        bench.workflow("waits", "true", "read line <" + gate, "true");
        RunRef run = bench.start(execution("waits", 1, Map.of()));
        bench.awaitChange();
        assertThat(bench.runner().observe(run))
                .isEqualTo(new Observation.Running(new RunProgress(1, 3, "task 2 of 3: task-2")));
        Files.writeString(gate, "go\n");
        assertThat(bench.awaitEnd(run)).isInstanceOf(Observation.Succeeded.class);
    }

    @Test
    void aRunAtItsFirstTaskIsAsFarAsAPreparedOne() {
        Path gate = bench.fifo("gate");
        bench.workflow("waits", "read line <" + gate);
        Execution execution = execution("waits", 1, Map.of());
        Preparation.Ready ready = bench.prepare(execution);
        bench.runner().start(ready.run(), ready.version(), 7);
        assertThat(bench.runner().observe(ready.run())).isEqualTo(new Observation.Running(ready.progress()));
    }

    @Test
    void anExitCodeEndsTheRun() {
        bench.workflow("fails", "echo fine", "echo no luck; exit 3", "echo never");
        RunRef run = bench.run("fails", Map.of());
        Failure failure = bench.failure(run);
        assertThat(failure.reason()).isEqualTo(FailureReason.TaskFailed);
        assertThat(failure.wasExecutionFailure()).isTrue();
        assertThat(failure.failedTaskName()).contains("task-2");
        assertThat(failure.failedTaskIndex()).contains(1);
        assertThat(failure.failedStepName()).contains("sh");
        assertThat(failure.exitCode()).contains(3);
        assertThat(failure.message()).isEqualTo("no luck");
        assertThat(failure.executionTimeBeforeFailure()).isPresent();
        assertThat(failure.naturalLanguageSummary()).contains("task 2 of 3");
        assertThat(bench.log(run)).doesNotContain("never");
    }

    @Test
    void aTaskThatSaidNothingIsSpokenFor() {
        bench.workflow("fails", "exit 4");
        assertThat(bench.failure("fails", Map.of()).message())
                .isEqualTo("task 1 of 1: task-1 ended with exit code 4 and printed nothing");
    }

    @Test
    void aSignalIsToldFromAnExitCode() {
        bench.workflow("killed", "kill -9 $$");
        assertThat(bench.failure("killed", Map.of()).naturalLanguageSummary()).contains("killed by SIGKILL");
    }

    @Test
    void anExitCodeIsToldFromASignal() {
        bench.workflow("exits", "exit 137");
        Failure failure = bench.failure("exits", Map.of());
        assertThat(failure.exitCode()).contains(137);
        assertThat(failure.naturalLanguageSummary()).contains("exit code 137");
    }

    @Test
    void aProgramsOwn127IsNoMissingCommand() {
        bench.workflow("exits", "exit 127");
        Failure failure = bench.failure("exits", Map.of());
        assertThat(failure.reason()).isEqualTo(FailureReason.TaskFailed);
        assertThat(failure.wasExecutionFailure()).isTrue();
    }

    @Test
    void aCommandThatVanishedBeforeTheFirstTaskRanMeansThatNothingRan() throws IOException {
        Path program = program("first");
        bench.write("vanishes", "tasks: [{name: only, command: [" + program + "]}]\n");
        Preparation.Ready ready = bench.prepare(execution("vanishes", 1, Map.of()));
        Files.delete(program);
        bench.runner().start(ready.run(), ready.version(), 7);
        Failure failure = bench.failure(ready.run());
        assertThat(failure.reason()).isEqualTo(FailureReason.ConfigurationError);
        assertThat(failure.startStatus()).isEqualTo(StartStatus.NO);
        assertThat(failure.message()).contains("there is no " + program);
    }

    @Test
    void aFileThatLostItsXBitsMeansThatNothingRan() throws IOException {
        Path program = program("first");
        bench.write("loses", "tasks: [{name: only, command: [" + program + "]}]\n");
        Preparation.Ready ready = bench.prepare(execution("loses", 1, Map.of()));
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rw-r--r--"));
        bench.runner().start(ready.run(), ready.version(), 7);
        Failure failure = bench.failure(ready.run());
        assertThat(failure.reason()).isEqualTo(FailureReason.ConfigurationError);
        assertThat(failure.startStatus()).isEqualTo(StartStatus.NO);
    }

    @Test
    void aMissingCommandOfALaterTaskCountsAsDuring() {
        bench.write("later", """
                tasks:
                  - {name: fine, command: ["true"]}
                  - {name: missing, command: [no-such-program-anywhere]}
                """);
        Failure failure = bench.failure("later", Map.of());
        assertThat(failure.reason()).isEqualTo(FailureReason.ConfigurationError);
        assertThat(failure.wasExecutionFailure()).isTrue();
        assertThat(failure.failedTaskName()).contains("missing");
        assertThat(failure.message()).contains("no-such-program-anywhere");
    }

    @Test
    void aWorkingDirectoryThatVanishedMeansThatNothingRan() throws IOException {
        Path folder = Files.createDirectory(bench.root.resolve("there"));
        bench.write("somewhere", "tasks: [{name: only, command: [\"true\"], workingDirectory: " + folder + "}]\n");
        Preparation.Ready ready = bench.prepare(execution("somewhere", 1, Map.of()));
        Files.delete(folder);
        bench.runner().start(ready.run(), ready.version(), 7);
        assertThat(bench.failure(ready.run()).startStatus()).isEqualTo(StartStatus.NO);
    }

    @Test
    void whatATaskLeavesBehindIsEndedBeforeTheRunIs() throws IOException {
        Path pid = bench.root.resolve("pid");
        bench.workflow("leaves", "sleep 600 & echo $! >" + pid);
        RunRef run = bench.run("leaves", Map.of());
        assertThat(bench.runner().observe(run)).isInstanceOf(Observation.Succeeded.class);
        assertThat(Bench.isAlive(pid)).isFalse();
        assertThat(bench.log(run))
                .contains("left processes behind")
                .contains(Files.readString(pid).strip());
    }

    @Test
    void aSupervisorThatIsJustEndingIsNothingLeftBehind() {
        bench.workflow("quick", "true");
        for (int number = 1; number <= 40; number++) {
            RunRef run = bench.start(execution("quick", number, Map.of()));
            bench.awaitEnd(run);
            assertThat(bench.log(run)).isEqualTo("--- task 1 of 1: task-1\n");
        }
    }

    @Test
    void whatDetachesItselfIsEndedToo() throws IOException {
        Path pid = bench.root.resolve("pid");
        Path gate = bench.fifo("gate");
        // It has a session of its own, holds nothing open, and its parent is gone.
        bench.workflow(
                "detaches",
                "setsid sh -c 'echo $$ >%s; echo >%s; exec sleep 600' </dev/null >/dev/null 2>&1 & read line <%s"
                        .formatted(pid, gate, gate));
        RunRef run = bench.run("detaches", Map.of());
        assertThat(bench.runner().observe(run)).isInstanceOf(Observation.Succeeded.class);
        assertThat(Bench.isAlive(pid)).isFalse();
    }

    private Path program(String name) throws IOException {
        Path file = Files.writeString(bench.root.resolve(name), "#!/bin/sh\n");
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
