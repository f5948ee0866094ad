package dev.escapement.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.execution.RunRef;
import dev.escapement.testkit.Property;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Values and arguments arrive as they are, and nothing else does. */
class PassingOnTest {

    private final Bench bench;
    private int number;

    PassingOnTest(@TempDir Path root) throws IOException {
        bench = new Bench(root);
        bench.write("print", """
                parameters: [{name: TEXT, required: true}, {name: FILE, required: true}]
                tasks: [{name: print, command: [sh, -c, 'printf %s "$TEXT" >"$FILE"']}]
                """);
    }

    @AfterEach
    void close() throws IOException {
        bench.close();
    }

    private byte[] passedOn(String text) throws IOException {
        Path file = bench.root.resolve("out");
        RunRef run = bench.start(Bench.execution("print", ++number, Map.of("TEXT", text, "FILE", file.toString())));
        bench.awaitEnd(run);
        return Files.readAllBytes(file);
    }

    private void arrives(String text) throws IOException {
        assertThat(passedOn(text)).isEqualTo(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void whatAShellWouldReadIsNotRead() throws IOException {
        arrives("'; touch /tmp/x; echo '$(touch /tmp/x)`touch /tmp/x`$HOME \"\\ \\\\ * ? [a] ~ ! # & | < > ;\n\n\t\r");
    }

    @Test
    void everyCharacterArrives() throws IOException {
        arrives(IntStream.rangeClosed(1, 0x2FF)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString());
        arrives("grüße, 世界, 🙂, \u0081\u0082\u0088\uFFFD");
    }

    @Test
    void aLongValueArrives() throws IOException {
        arrives("long 'value' $x\n".repeat(7_000).substring(0, 100_000));
    }

    @Test
    void anyTextArrives() {
        Property.forAll(15, gen -> {
            StringBuilder text = new StringBuilder();
            for (int i = gen.length(0, 200); i > 0; i--) {
                text.append(gen.oneOf(
                        List.of("'", "\"", "\\", "$", "`", "\n", " ", "a", "é", "\u0001", "\u007f", "$(", ")", "=")));
            }
            arrives(text.toString());
        });
    }

    @Test
    void argumentsArriveAsTheyAre() throws IOException {
        Path file = bench.root.resolve("out");
        bench.write("arguments", """
                tasks: [{name: print, command: [sh, -c, 'for a; do echo "<$a>"; done >%s', x, "a  b", "", "'$HOME'", "*", "-n", "ü\\n"]}]
                """.formatted(file));
        bench.run("arguments", Map.of());
        assertThat(Files.readString(file)).isEqualTo("<a  b>\n<>\n<'$HOME'>\n<*>\n<-n>\n<ü\n>\n");
    }

    @Test
    void theEnvironmentIsCleanAndNamesTheTargetAndTheRun() {
        bench.write("environment", """
                parameters: [{name: GIVEN}, {name: LEFT_OUT}, {name: DEFAULTED, default: "1"}, {name: task}]
                tasks: [{name: print, command: [env]}]
                """);
        RunRef run = bench.run("environment", Map.of("GIVEN", "yes", "task", "mine"));
        List<String> lines = Arrays.asList(bench.log(run).split("\n"));
        assertThat(lines)
                .contains(
                        "GIVEN=yes",
                        "DEFAULTED=1",
                        // The supervisor has a variable of that name, too.
                        "task=mine",
                        "TARGET_RESOURCE=node/worker-1",
                        "ESCAPEMENT_EXECUTION=ops/e1",
                        "ESCAPEMENT_EPOCH=7",
                        "ESCAPEMENT_RUN=" + run.uid());
        assertThat(lines.stream().skip(1).map(line -> line.substring(0, line.indexOf('='))))
                .isSubsetOf(
                        "PATH",
                        "HOME",
                        "LANG",
                        "TZ",
                        "TMPDIR",
                        "PWD",
                        "SHLVL",
                        "_",
                        "GIVEN",
                        "DEFAULTED",
                        "task",
                        "TARGET_RESOURCE",
                        "ESCAPEMENT_EXECUTION",
                        "ESCAPEMENT_EPOCH",
                        "ESCAPEMENT_RUN");
    }

    @Test
    void aTaskHasNoInput() {
        bench.workflow("quiet", "read line; echo \"read $?\"");
        assertThat(bench.log(bench.run("quiet", Map.of()))).contains("read 1");
    }

    @Test
    void aTaskCanBeToldToEndAndByABrokenPipe() {
        bench.workflow(
                "signals",
                "sh -c 'kill -TERM $$; echo survived TERM'; sh -c 'kill -PIPE $$; echo survived PIPE'; echo done");
        assertThat(bench.log(bench.run("signals", Map.of()))).contains("done").doesNotContain("survived");
    }

    @Test
    void aTaskRunsInTheFolderOfItsWorkflow() throws IOException {
        Files.createDirectories(bench.workflows.resolve("scripts"));
        Files.writeString(bench.workflows.resolve("scripts/hello.sh"), "echo hello from $PWD\n");
        bench.write("relative", "tasks: [{name: hello, command: [sh, scripts/hello.sh]}]\n");
        assertThat(bench.log(bench.run("relative", Map.of()))).contains("hello from " + bench.workflows.toRealPath());
    }
}
