package dev.escapement.process;

import static dev.escapement.process.Bench.execution;
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

/** What tasks print is kept within bounds, and read while they print it. */
class LogsTest {

    private final Bench bench;

    LogsTest(@TempDir Path root) throws IOException {
        bench = new Bench(root);
    }

    @AfterEach
    void close() throws IOException {
        bench.close();
    }

    @Test
    void bothOutputsAreKeptInTheirOrder() {
        bench.workflow("prints", "echo one; echo two >&2; echo three");
        assertThat(bench.log(bench.run("prints", Map.of()))).isEqualTo("--- task 1 of 1: task-1\none\ntwo\nthree\n");
    }

    @Test
    void outputIsReadWhileTheTaskRuns() throws IOException {
        Path gate = bench.fifo("gate");
        Path ready = bench.fifo("ready");
        bench.workflow("prints", "echo early; printf part; echo >%s; read line <%s; echo late".formatted(ready, gate));
        RunRef run = bench.start(execution("prints", 1, Map.of()));
        Files.readString(ready);
        Chunk early = bench.runner().read(run, 0, 1000);
        while (!early.text().contains("early")) {
            Thread.onSpinWait();
            early = bench.runner().read(run, 0, 1000);
        }
        assertThat(early.text()).endsWith("early\n");
        assertThat(early.ended()).isFalse();
        Files.writeString(gate, "go\n");
        bench.awaitEnd(run);
        assertThat(bench.runner().read(run, early.nextOffset(), 1000))
                .isEqualTo(new Chunk("partlate\n", early.nextOffset() + 9, true));
    }

    @Test
    void aLogIsReadPieceByPiece() {
        bench.workflow("prints", "echo grüße; printf 'no end'");
        RunRef run = bench.run("prints", Map.of());
        StringBuilder all = new StringBuilder();
        Chunk chunk = bench.runner().read(run, 0, 7);
        while (!chunk.ended()) {
            all.append(chunk.text());
            chunk = bench.runner().read(run, chunk.nextOffset(), 7);
        }
        assertThat(all.append(chunk.text())).hasToString("--- task 1 of 1: task-1\ngrüße\nno end");
    }

    @Test
    void whatIsNoTextIsReplaced() {
        bench.workflow("prints", "printf 'a\\377b\\n'");
        assertThat(bench.log(bench.run("prints", Map.of()))).endsWith("a\uFFFDb\n");
    }

    @Test
    void tooMuchOutputIsCutAndDisturbsNobody() throws IOException {
        bench.settings = bench.settings.withLogLimit(8192);
        bench.workflow("floods", "head -c 3000000 /dev/zero | tr '\\0' x; echo survived >" + bench.root.resolve("end"));
        RunRef run = bench.run("floods", Map.of());
        assertThat(bench.runner().observe(run)).isInstanceOf(Observation.Succeeded.class);
        assertThat(bench.root.resolve("end")).hasContent("survived");
        String log = bench.log(run);
        assertThat(log).hasSizeBetween(8192, 8400);
        assertThat(log).endsWith("[escapement: the output is longer than 8192 bytes; the rest is not kept]\n");
    }

    @Test
    void thereIsNothingToReadOfNoRun() {
        assertThat(bench.runner().read(new RunRef("server-1/00000000", "x"), 5, 100))
                .isEqualTo(new Chunk("", 5, true));
        assertThat(bench.runner().read(new RunRef("../../etc/passwd", "x"), 0, 100))
                .isEqualTo(new Chunk("", 0, true));
    }

    @Test
    void theMessageOfAFailureIsTheEndOfWhatTheTaskPrinted() {
        bench.workflow("fails", "yes line | head -n 1000; echo the cause; exit 1");
        String message = bench.failure("fails", Map.of()).message();
        assertThat(message).startsWith("…").endsWith("line line the cause").hasSizeLessThan(900);
    }
}
