package dev.escapement.process;

import static dev.escapement.process.Bench.execution;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.port.WorkflowRunner.Observation;
import dev.escapement.engine.port.WorkflowRunner.Preparation;
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

/** Whatever crashes, and whenever: a run starts at most once. The supervisor is started by hand where a server dies. */
class StartsOnceTest {

    private final Bench bench;
    private final Path effect;

    StartsOnceTest(@TempDir Path root) throws IOException {
        bench = new Bench(root);
        effect = root.resolve("effect");
        bench.workflow("acts", "echo acted >>" + effect);
    }

    @AfterEach
    void close() throws IOException {
        bench.close();
    }

    private Preparation.Ready prepared() {
        return bench.prepare(execution("acts", 1, Map.of()));
    }

    /** As a server does it that dies before it hears anything. */
    private static Process supervise(Path folder, String uid) throws IOException {
        Path script = Files.write(Files.createTempFile("supervisor", ".sh"), Launcher.script());
        script.toFile().deleteOnExit();
        ProcessBuilder builder = new ProcessBuilder(
                "setsid", "sh", script.toString(), Boot.current().id(), "-", "8");
        builder.environment().put(ProcessTable.RUN, uid);
        builder.environment().put(ProcessTable.ROLE, ProcessTable.SUPERVISOR);
        return builder.directory(folder.toFile()).start();
    }

    private static String heard(Process supervisor) throws Exception {
        String word = new String(supervisor.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        supervisor.waitFor();
        return word.strip();
    }

    private void actedOnce() throws IOException {
        assertThat(effect).hasContent("acted");
    }

    @RepeatedTest(3)
    void ofManySupervisorsOneBegins() throws Exception {
        Preparation.Ready ready = prepared();
        List<Process> all = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            all.add(supervise(bench.folder(ready.run()), ready.run().uid()));
        }
        List<String> words = new ArrayList<>();
        for (Process one : all) {
            words.add(heard(one));
        }
        assertThat(words).containsOnlyOnce("begun").containsOnly("begun", "late");
        bench.awaitEnd(ready.run());
        actedOnce();
    }

    @Test
    void aServerThatDiedBeforeItStartedTheRunIsFollowedByOneThatDoes() throws IOException {
        Preparation.Ready ready = prepared();
        bench.open();
        assertThat(bench.runner().observe(ready.run())).isEqualTo(new Observation.Suspended(ready.version()));
        assertThat(bench.prepare(execution("acts", 1, Map.of()))).isEqualTo(ready);
        assertThat(bench.runner().start(ready.run(), ready.version(), 7)).isTrue();
        assertThat(bench.awaitEnd(ready.run())).isInstanceOf(Observation.Succeeded.class);
        actedOnce();
    }

    @Test
    void aServerThatDiedJustAfterItStartedTheRunIsFollowedByOneThatDoesNot() throws Exception {
        Preparation.Ready ready = prepared();
        Process orphan = supervise(bench.folder(ready.run()), ready.run().uid());
        bench.open();
        bench.runner().start(ready.run(), ready.version(), 7);
        orphan.waitFor();
        assertThat(bench.awaitEnd(ready.run())).isInstanceOf(Observation.Succeeded.class);
        actedOnce();
        assertThat(bench.runner().start(ready.run(), ready.version(), 7)).isFalse();
    }

    @Test
    void aSupervisorThatComesAfterTheRemovalDoesNothing() throws Exception {
        Preparation.Ready ready = prepared();
        RunFolder folder = new RunFolder(bench.folder(ready.run()));
        assertThat(folder.claimForRemoval()).isTrue();
        assertThat(heard(supervise(folder.path(), ready.run().uid()))).isEqualTo("late");
        assertThat(bench.runner().observe(ready.run())).isEqualTo(new Observation.Missing());
        assertThat(effect).doesNotExist();
    }

    @Test
    void aSupervisorThatFindsTheFolderHalfRemovedDoesNothing() throws Exception {
        Preparation.Ready ready = prepared();
        Path folder = bench.folder(ready.run());
        // The plan goes first, the link last: this is as bad as it can get.
        Files.delete(folder.resolve("plan"));
        assertThat(heard(supervise(folder, ready.run().uid()))).isEqualTo("begun");
        assertThat(effect).doesNotExist();
    }

    @Test
    void aRunThatWasRemovedWhileItsServerDiedIsPreparedAnew() throws IOException {
        Preparation.Ready ready = prepared();
        new RunFolder(bench.folder(ready.run())).claimForRemoval();
        assertThat(prepared().run().uid()).isNotEqualTo(ready.run().uid());
    }

    @Test
    void whatAServerLeftHalfPreparedIsTidiedUp() throws IOException {
        Preparation.Ready ready = prepared();
        Path half = Files.createDirectory(bench.root.resolve("data/runs/.new-abc"));
        Files.writeString(half.resolve("plan"), "half");
        bench.open();
        assertThat(half).doesNotExist();
        assertThat(bench.runner().observe(ready.run())).isInstanceOf(Observation.Suspended.class);
    }

    @Test
    void aRunThatCouldNotBeStartedIsTriedAgain() throws IOException {
        Preparation.Ready ready = prepared();
        Path script;
        try (var files = Files.newDirectoryStream(bench.root.resolve("data/runs"), "supervisor-*")) {
            script = files.iterator().next();
        }
        byte[] text = Files.readAllBytes(script);
        Files.writeString(script, "echo out of luck\n");
        assertThat(catchThrowable(() -> bench.runner().start(ready.run(), ready.version(), 7)))
                .hasMessageContaining("out of luck");
        assertThat(bench.runner().observe(ready.run())).isInstanceOf(Observation.Suspended.class);
        assertThat(bench.runner().going()).isZero();
        Files.write(script, text);
        assertThat(bench.runner().start(ready.run(), ready.version(), 7)).isTrue();
        assertThat(bench.awaitEnd(ready.run())).isInstanceOf(Observation.Succeeded.class);
        actedOnce();
    }

    @Test
    void twoServersDoNotShareAFolder() {
        prepared();
        assertThat(catchThrowable(() -> FolderLock.of(bench.root.resolve("data/runs"))))
                .hasMessageContaining("in use by another server");
    }

    @Test
    void aRunOfAnotherBootNeverStartsAndCountsAsLost() throws IOException {
        Preparation.Ready ready = prepared();
        RunRef old = asOfAnotherBoot(ready.run());
        assertThat(bench.runner().start(old, ready.version(), 7)).isFalse();
        assertThat(bench.failure(old).wasExecutionFailure()).isTrue();
        assertThat(effect).doesNotExist();
    }

    @Test
    void aRunOfAnotherBootThatWasNeverRecordedIsPreparedAnew() throws IOException {
        RunRef old = asOfAnotherBoot(prepared().run());
        Preparation.Ready next = prepared();
        assertThat(next.run().uid()).isNotEqualTo(old.uid());
        assertThat(bench.runner().observe(old)).isEqualTo(new Observation.Missing());
    }

    /** What a power loss leaves of a run whose link was not yet on the disk. */
    private RunRef asOfAnotherBoot(RunRef run) throws IOException {
        String uid = "00000000" + run.uid().substring(8);
        Path plan = bench.folder(run).resolve("plan");
        Files.writeString(plan, Files.readString(plan).replace(run.uid(), uid));
        return new RunRef(run.name(), uid);
    }

    @Test
    void aDamagedPlanIsNoRun() throws IOException {
        for (String damaged : List.of("", "# {\"uid\":", "# null", "\0\0\0")) {
            Preparation.Ready ready = prepared();
            Files.writeString(bench.folder(ready.run()).resolve("plan"), damaged);
            assertThat(bench.runner().observe(ready.run())).isEqualTo(new Observation.Missing());
            assertThat(bench.runner().start(ready.run(), ready.version(), 7)).isFalse();
        }
        assertThat(prepared().version()).isEqualTo(Preparer.SUSPENDED);
    }

    @Test
    void aDamagedResultIsALostRun() throws IOException {
        RunRef run = bench.run("acts", Map.of());
        Files.writeString(bench.folder(run).resolve("result"), "");
        assertThat(bench.failure(run).wasExecutionFailure()).isTrue();
        assertThat(new RunFolder(bench.folder(run)).result()).isEqualTo(Optional.of(""));
    }
}
