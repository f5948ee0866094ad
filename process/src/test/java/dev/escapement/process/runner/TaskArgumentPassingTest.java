package dev.escapement.process.runner;

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

/** Parameters and arguments reach tasks unchanged; other variables of the server do not. */
class TaskArgumentPassingTest {

    private final ProcessRunnerFixture fixture;
    private int executionNumber;

    TaskArgumentPassingTest(@TempDir Path root) throws IOException {
        fixture = new ProcessRunnerFixture(root);
        fixture.writeWorkflowYaml("print", """
                parameters: [{name: TEXT, required: true}, {name: FILE, required: true}]
                tasks: [{name: print, command: [sh, -c, 'printf %s "$TEXT" >"$FILE"']}]
                """);
    }

    @AfterEach
    void close() throws IOException {
        fixture.close();
    }

    private byte[] runAndReadValue(String text) throws IOException {
        Path file = fixture.root.resolve("out");
        RunRef run = fixture.start(ProcessRunnerFixture.execution(
                "print", ++executionNumber, Map.of("TEXT", text, "FILE", file.toString())));
        fixture.awaitEnd(run);
        return Files.readAllBytes(file);
    }

    private void assertPassedUnchanged(String text) throws IOException {
        assertThat(runAndReadValue(text)).isEqualTo(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void passesShellSyntaxUnchanged() throws IOException {
        assertPassedUnchanged(
                "'; touch /tmp/x; echo '$(touch /tmp/x)`touch /tmp/x`$HOME \"\\ \\\\ * ? [a] ~ ! # & | < > ;\n\n\t\r");
    }

    @Test
    void passesEveryCharacterUnchanged() throws IOException {
        assertPassedUnchanged(IntStream.rangeClosed(1, 0x2FF)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString());
        assertPassedUnchanged("grüße, 世界, 🙂, \u0081\u0082\u0088\uFFFD");
    }

    @Test
    void passesLongValueUnchanged() throws IOException {
        assertPassedUnchanged("long 'value' $x\n".repeat(7_000).substring(0, 100_000));
    }

    @Test
    void passesRandomTextUnchanged() {
        Property.forAll(15, gen -> {
            StringBuilder text = new StringBuilder();
            for (int i = gen.length(0, 200); i > 0; i--) {
                text.append(gen.oneOf(
                        List.of("'", "\"", "\\", "$", "`", "\n", " ", "a", "é", "\u0001", "\u007f", "$(", ")", "=")));
            }
            assertPassedUnchanged(text.toString());
        });
    }

    @Test
    void passesCommandArgumentsUnchanged() throws IOException {
        Path file = fixture.root.resolve("out");
        fixture.writeWorkflowYaml("arguments", """
                tasks: [{name: print, command: [sh, -c, 'for a; do echo "<$a>"; done >%s', x, "a  b", "", "'$HOME'", "*", "-n", "ü\\n"]}]
                """.formatted(file));
        fixture.runToEnd("arguments", Map.of());
        assertThat(Files.readString(file)).isEqualTo("<a  b>\n<>\n<'$HOME'>\n<*>\n<-n>\n<ü\n>\n");
    }

    @Test
    void environmentHasOnlyParametersAndKnownVariables() {
        fixture.writeWorkflowYaml("environment", """
                parameters: [{name: GIVEN}, {name: LEFT_OUT}, {name: DEFAULTED, default: "1"}, {name: task}]
                tasks: [{name: print, command: [env]}]
                """);
        RunRef run = fixture.runToEnd("environment", Map.of("GIVEN", "yes", "task", "mine"));
        List<String> lines = Arrays.asList(fixture.readLog(run).split("\n"));
        assertThat(lines)
                .contains(
                        "GIVEN=yes",
                        "DEFAULTED=1",
                        // The supervisor script has a variable of that name, too.
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
    void taskHasEmptyStdin() {
        fixture.writeWorkflow("quiet", "read line; echo \"read $?\"");
        assertThat(fixture.readLog(fixture.runToEnd("quiet", Map.of()))).contains("read 1");
    }

    @Test
    void taskHasDefaultSignalHandlers() {
        fixture.writeWorkflow(
                "signals",
                "sh -c 'kill -TERM $$; echo survived TERM'; sh -c 'kill -PIPE $$; echo survived PIPE'; echo done");
        assertThat(fixture.readLog(fixture.runToEnd("signals", Map.of())))
                .contains("done")
                .doesNotContain("survived");
    }

    @Test
    void taskRunsInFolderOfWorkflowFile() throws IOException {
        Files.createDirectories(fixture.workflows.resolve("scripts"));
        Files.writeString(fixture.workflows.resolve("scripts/hello.sh"), "echo hello from $PWD\n");
        fixture.writeWorkflowYaml("relative", "tasks: [{name: hello, command: [sh, scripts/hello.sh]}]\n");
        assertThat(fixture.readLog(fixture.runToEnd("relative", Map.of())))
                .contains("hello from " + fixture.workflows.toRealPath());
    }
}
