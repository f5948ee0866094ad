package dev.escapement.process.runner;

import static dev.escapement.process.runner.ProcessRunnerFixture.execution;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.port.RunLogs.Chunk;
import dev.escapement.engine.port.WorkflowRunner.Observation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Output of tasks is limited in size and can be read while they run. */
class RunOutputTest {

    private final ProcessRunnerFixture fixture;

    RunOutputTest(@TempDir Path root) throws IOException {
        fixture = new ProcessRunnerFixture(root);
    }

    @AfterEach
    void close() throws IOException {
        fixture.close();
    }

    @Test
    void keepsStdoutAndStderrInOrder() {
        fixture.writeWorkflow("prints", "echo one; echo two >&2; echo three");
        assertThat(fixture.readLog(fixture.runToEnd("prints", Map.of())))
                .isEqualTo("--- task 1 of 1: task-1\none\ntwo\nthree\n");
    }

    @Test
    void readsOutputWhileTaskRuns() throws IOException {
        Path gate = fixture.createFifo("gate");
        Path ready = fixture.createFifo("ready");
        fixture.writeWorkflow(
                "prints", "echo early; printf part; echo >%s; read line <%s; echo late".formatted(ready, gate));
        RunRef run = fixture.start(execution("prints", 1, Map.of()));
        Files.readString(ready);
        Chunk early = fixture.runner().read(run, 0, 1000);
        while (!early.text().contains("early")) {
            Thread.onSpinWait();
            early = fixture.runner().read(run, 0, 1000);
        }
        assertThat(early.text()).endsWith("early\n");
        assertThat(early.ended()).isFalse();
        Files.writeString(gate, "go\n");
        fixture.awaitEnd(run);
        assertThat(fixture.runner().read(run, early.nextOffset(), 1000))
                .isEqualTo(new Chunk("partlate\n", early.nextOffset() + 9, true));
    }

    @Test
    void readsLogInChunks() {
        fixture.writeWorkflow("prints", "echo grüße; printf 'no end'");
        RunRef run = fixture.runToEnd("prints", Map.of());
        StringBuilder all = new StringBuilder();
        Chunk chunk = fixture.runner().read(run, 0, 7);
        while (!chunk.ended()) {
            all.append(chunk.text());
            chunk = fixture.runner().read(run, chunk.nextOffset(), 7);
        }
        assertThat(all.append(chunk.text())).hasToString("--- task 1 of 1: task-1\ngrüße\nno end");
    }

    @Test
    void replacesInvalidUtf8() {
        fixture.writeWorkflow("prints", "printf 'a\\377b\\n'");
        assertThat(fixture.readLog(fixture.runToEnd("prints", Map.of()))).endsWith("a\uFFFDb\n");
    }

    @Test
    void truncatesOutputBeyondLimitWithoutFailingTheRun() throws IOException {
        fixture.setLogLimit(8192);
        fixture.writeWorkflow(
                "floods", "head -c 3000000 /dev/zero | tr '\\0' x; echo survived >" + fixture.root.resolve("end"));
        RunRef run = fixture.runToEnd("floods", Map.of());
        assertThat(fixture.runner().observe(run)).isInstanceOf(Observation.Succeeded.class);
        assertThat(fixture.root.resolve("end")).hasContent("survived");
        String log = fixture.readLog(run);
        assertThat(log).hasSizeBetween(8192, 8400);
        assertThat(log).endsWith("[escapement: the output is longer than 8192 bytes; the rest is not kept]\n");
    }

    @Test
    void readsNothingOfUnknownRun() {
        assertThat(fixture.runner().read(new RunRef("server-1/00000000", "x"), 5, 100))
                .isEqualTo(new Chunk("", 5, true));
        assertThat(fixture.runner().read(new RunRef("../../etc/passwd", "x"), 0, 100))
                .isEqualTo(new Chunk("", 0, true));
    }

    @Test
    void failureMessageIsTailOfOutput() {
        fixture.writeWorkflow("fails", "yes line | head -n 1000; echo the cause; exit 1");
        String message = fixture.awaitFailure("fails", Map.of()).message();
        assertThat(message).startsWith("…").endsWith("line line the cause").hasSizeLessThan(900);
    }
}
