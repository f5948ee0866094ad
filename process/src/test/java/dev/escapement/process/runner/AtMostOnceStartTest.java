package dev.escapement.process.runner;

import static dev.escapement.process.runner.ProcessRunnerFixture.execution;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.port.WorkflowRunner.Observation;
import dev.escapement.engine.port.WorkflowRunner.Preparation;
import dev.escapement.process.os.BootId;
import dev.escapement.process.os.ProcessTable;
import dev.escapement.process.os.TaskEnvironment;
import dev.escapement.process.run.RunFolder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run starts at most once, whenever the server crashes. Tests launch the supervisor directly to simulate a crash. */
class AtMostOnceStartTest {

    private final ProcessRunnerFixture fixture;
    private final Path effect;

    AtMostOnceStartTest(@TempDir Path root) throws IOException {
        fixture = new ProcessRunnerFixture(root);
        effect = root.resolve("effect");
        fixture.writeWorkflow("acts", "echo acted >>" + effect);
    }

    @AfterEach
    void close() throws IOException {
        fixture.close();
    }

    private Preparation.Ready prepare() {
        return fixture.prepare(execution("acts", 1, Map.of()));
    }

    /** Launches the supervisor like a server that crashes before it reads the reply. */
    private static Process launchSupervisor(Path folder, String uid) throws IOException {
        Path script = Files.write(Files.createTempFile("supervisor", ".sh"), SupervisorLauncher.readScript());
        script.toFile().deleteOnExit();
        ProcessBuilder builder = new ProcessBuilder(
                "setsid", "sh", script.toString(), BootId.current().id(), "-", "8");
        builder.environment().put(ProcessTable.RUN_VARIABLE, uid);
        builder.environment().put(ProcessTable.ROLE_VARIABLE, ProcessTable.SUPERVISOR_ROLE);
        return builder.directory(folder.toFile()).start();
    }

    private static String readReply(Process supervisor) throws Exception {
        String reply = new String(supervisor.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        supervisor.waitFor();
        return reply.strip();
    }

    private void assertActedOnce() throws IOException {
        assertThat(effect).hasContent("acted");
    }

    @RepeatedTest(3)
    void exactlyOneOfManySupervisorsStartsTheRun() throws Exception {
        Preparation.Ready ready = prepare();
        List<Process> supervisors = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            supervisors.add(
                    launchSupervisor(fixture.runFolder(ready.run()), ready.run().uid()));
        }
        List<String> replies = new ArrayList<>();
        for (Process supervisor : supervisors) {
            replies.add(readReply(supervisor));
        }
        assertThat(replies).containsOnlyOnce("begun").containsOnly("begun", "late");
        fixture.awaitEnd(ready.run());
        assertActedOnce();
    }

    @Test
    void startsRunAfterCrashBeforeStart() throws IOException {
        Preparation.Ready ready = prepare();
        fixture.restart();
        assertThat(fixture.runner().observe(ready.run())).isEqualTo(new Observation.Suspended(ready.version()));
        assertThat(fixture.prepare(execution("acts", 1, Map.of()))).isEqualTo(ready);
        assertThat(fixture.runner().start(ready.run(), ready.version(), 7)).isTrue();
        assertThat(fixture.awaitEnd(ready.run())).isInstanceOf(Observation.Succeeded.class);
        assertActedOnce();
    }

    @Test
    void doesNotStartRunAgainAfterCrashDuringStart() throws Exception {
        Preparation.Ready ready = prepare();
        Process orphan =
                launchSupervisor(fixture.runFolder(ready.run()), ready.run().uid());
        fixture.restart();
        fixture.runner().start(ready.run(), ready.version(), 7);
        orphan.waitFor();
        assertThat(fixture.awaitEnd(ready.run())).isInstanceOf(Observation.Succeeded.class);
        assertActedOnce();
        assertThat(fixture.runner().start(ready.run(), ready.version(), 7)).isFalse();
    }

    @Test
    void supervisorThatIsKilledBeforeItsReplyIsLate() throws Exception {
        Preparation.Ready ready = prepare();
        RunFolder folder = fixture.openFolder(ready.run());
        SupervisorLauncher killed = new SupervisorLauncher(
                List.of("sh", "-c", "ln -s \"$$ - $0\" begun; kill -9 $$"),
                TaskEnvironment.of(System.getenv()),
                BootId.current(),
                8);
        assertThat(killed.launch(folder, ready.run().uid(), Optional.empty(), 7))
                .isEmpty();
        assertThat(folder.owner()).isPresent();
    }

    @Test
    void lateSupervisorDoesNotStartRemovedRun() throws Exception {
        Preparation.Ready ready = prepare();
        RunFolder folder = fixture.openFolder(ready.run());
        assertThat(folder.claimForRemoval()).isTrue();
        assertThat(readReply(launchSupervisor(folder.path(), ready.run().uid())))
                .isEqualTo("late");
        assertThat(fixture.runner().observe(ready.run())).isEqualTo(new Observation.Missing());
        assertThat(effect).doesNotExist();
    }

    @Test
    void supervisorRunsNothingInPartlyDeletedFolder() throws Exception {
        Preparation.Ready ready = prepare();
        Path folder = fixture.runFolder(ready.run());
        // A removal deletes the plan first and the link last.
        Files.delete(folder.resolve("plan"));
        assertThat(readReply(launchSupervisor(folder, ready.run().uid()))).isEqualTo("begun");
        assertThat(effect).doesNotExist();
    }

    @Test
    void preparesNewRunAfterCrashDuringRemoval() throws IOException {
        Preparation.Ready ready = prepare();
        fixture.openFolder(ready.run()).claimForRemoval();
        assertThat(prepare().run().uid()).isNotEqualTo(ready.run().uid());
    }

    @Test
    void deletesPartlyPreparedFolderOnRestart() throws IOException {
        Preparation.Ready ready = prepare();
        Path half = Files.createDirectory(fixture.root.resolve("data/runs/.new-abc"));
        Files.writeString(half.resolve("plan"), "half");
        fixture.restart();
        assertThat(half).doesNotExist();
        assertThat(fixture.runner().observe(ready.run())).isInstanceOf(Observation.Suspended.class);
    }

    @Test
    void failedStartCanBeRetried() throws IOException {
        Preparation.Ready ready = prepare();
        Path script;
        try (var files = Files.newDirectoryStream(fixture.root.resolve("data/runs"), "supervisor-*")) {
            script = files.iterator().next();
        }
        byte[] text = Files.readAllBytes(script);
        Files.writeString(script, "echo broken script\n");
        assertThat(catchThrowable(() -> fixture.runner().start(ready.run(), ready.version(), 7)))
                .hasMessageContaining("broken script");
        assertThat(fixture.runner().observe(ready.run())).isInstanceOf(Observation.Suspended.class);
        assertThat(fixture.runner().activeRunCount()).isZero();
        Files.write(script, text);
        assertThat(fixture.runner().start(ready.run(), ready.version(), 7)).isTrue();
        assertThat(fixture.awaitEnd(ready.run())).isInstanceOf(Observation.Succeeded.class);
        assertActedOnce();
    }

    @Test
    void refusesFolderInUseByOtherServer() {
        prepare();
        assertThat(catchThrowable(() -> RunSupervision.open(
                        fixture.settings,
                        new TaskEnvironment(Map.of()),
                        fixture.clock,
                        fixture.random,
                        fixture.changes::add)))
                .hasMessageContaining("in use by another server");
    }

    @Test
    void reportsUnstartedRunOfEarlierBootAsLost() throws IOException {
        Preparation.Ready ready = prepare();
        RunRef old = rewriteToOtherBoot(ready.run());
        assertThat(fixture.runner().start(old, ready.version(), 7)).isFalse();
        assertThat(fixture.awaitFailure(old).wasExecutionFailure()).isTrue();
        assertThat(effect).doesNotExist();
    }

    @Test
    void preparesNewRunInsteadOfRunOfEarlierBoot() throws IOException {
        RunRef old = rewriteToOtherBoot(prepare().run());
        Preparation.Ready next = prepare();
        assertThat(next.run().uid()).isNotEqualTo(old.uid());
        assertThat(fixture.runner().observe(old)).isEqualTo(new Observation.Missing());
    }

    /** Simulates a power failure that lost the link of the run. */
    private RunRef rewriteToOtherBoot(RunRef run) throws IOException {
        String uid = "00000000" + run.uid().substring(8);
        Path plan = fixture.runFolder(run).resolve("plan");
        Files.writeString(plan, Files.readString(plan).replace(run.uid(), uid));
        return new RunRef(run.name(), uid);
    }

    @Test
    void treatsRunWithDamagedPlanAsMissing() throws IOException {
        for (String damaged : List.of("", "# {\"uid\":", "# null", "\0\0\0")) {
            Preparation.Ready ready = prepare();
            Files.writeString(fixture.runFolder(ready.run()).resolve("plan"), damaged);
            assertThat(fixture.runner().observe(ready.run())).isEqualTo(new Observation.Missing());
            assertThat(fixture.runner().start(ready.run(), ready.version(), 7)).isFalse();
        }
        assertThat(prepare().version()).isEqualTo(RunPreparer.SUSPENDED_VERSION);
    }

    @Test
    void treatsRunWithDamagedResultAsLost() throws IOException {
        RunRef run = fixture.runToEnd("acts", Map.of());
        Files.writeString(fixture.runFolder(run).resolve("result"), "");
        assertThat(fixture.awaitFailure(run).wasExecutionFailure()).isTrue();
        assertThat(fixture.openFolder(run).result()).isEqualTo(Optional.of(""));
    }
}
