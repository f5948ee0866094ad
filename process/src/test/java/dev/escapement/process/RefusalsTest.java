package dev.escapement.process;

import static dev.escapement.process.Bench.classify;
import static dev.escapement.process.Bench.execution;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionConfig;
import dev.escapement.engine.execution.ExecutionSpec;
import dev.escapement.engine.execution.WorkflowRef;
import dev.escapement.governor.failure.Failure;
import dev.escapement.governor.failure.FailureReason;
import dev.escapement.governor.failure.RunEnd;
import dev.escapement.governor.failure.RunFacts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What cannot be prepared, and what is said about it. None of it counts as having run. */
class RefusalsTest {

    private final Bench bench;

    RefusalsTest(@TempDir Path root) throws IOException {
        bench = new Bench(root);
        bench.write("typed", """
                parameters:
                  - {name: COUNT, type: integer, required: true}
                  - {name: MODE, enum: [soft, hard], default: soft}
                tasks: [{name: only, command: ["true"]}]
                """);
    }

    @AfterEach
    void close() throws IOException {
        bench.close();
    }

    private RunFacts refused(Map<String, String> parameters) {
        return bench.refused(execution("typed", 1, parameters));
    }

    private static void neverRan(RunFacts facts, FailureReason reason) {
        Failure failure = classify(facts);
        assertThat(failure.reason()).isEqualTo(reason);
        assertThat(failure.wasExecutionFailure()).isFalse();
    }

    @Test
    void anUnknownWorkflowIsRefusedWithWhatThereIs() {
        bench.write("broken", "tasks: 3\n");
        RunFacts facts = bench.refused(execution("repare", 1, Map.of()));
        assertThat(facts.end()).isEqualTo(RunEnd.REFUSED);
        assertThat(facts.reason()).isEqualTo("WorkflowNotFound");
        assertThat(facts.message())
                .isEqualTo("workflow \"repare\" is not in the catalogue: it has typed;"
                        + " left out because of mistakes: broken.yaml");
        neverRan(facts, FailureReason.ConfigurationError);
    }

    @Test
    void allMistakesInTheParametersAreToldAtOnce() {
        RunFacts facts = refused(Map.of("COUNT", "many\u001b[31m", "MODE", "gentle", "SIZE", "3"));
        assertThat(facts.end()).isEqualTo(RunEnd.INVALID);
        assertThat(facts.message())
                .isEqualTo("parameter COUNT is \"many [31m\": it must be a whole number such as 3 (integer);"
                        + " parameter MODE is \"gentle\": it must be one of soft, hard;"
                        + " parameter \"SIZE\" is unknown: workflow typed has COUNT, MODE");
        neverRan(facts, FailureReason.ValidationError);
    }

    @Test
    void aMissingParameterIsNamed() {
        assertThat(refused(Map.of()).message())
                .isEqualTo("parameter COUNT is missing: it must be given, as a whole number such as 3");
    }

    @Test
    void aLongValueIsQuotedInPart() {
        assertThat(refused(Map.of("COUNT", "x".repeat(10_000))).message()).hasSizeLessThan(200);
    }

    @Test
    void nobodyCanSetTheTargetOrThePath() {
        assertThat(refused(Map.of("COUNT", "1", "TARGET_RESOURCE", "node/other"))
                        .message())
                .contains("\"TARGET_RESOURCE\" is unknown");
        assertThat(refused(Map.of("COUNT", "1", "PATH", "/tmp")).message()).contains("\"PATH\" is unknown");
    }

    @Test
    void aValueThatNoProcessCanTakeIsRefusedAndNotTried() {
        bench.write("text", "parameters: [{name: TEXT}]\ntasks: [{name: only, command: [\"true\"]}]\n");
        assertThat(bench.refused(execution("text", 1, Map.of("TEXT", "x".repeat(200_000))))
                        .message())
                .isEqualTo("parameter TEXT has 200005 bytes with its name: an environment variable has at most 131071");
        assertThat(bench.refused(execution("text", 1, Map.of("TEXT", "a\0b"))).message())
                .isEqualTo("parameter TEXT has a NUL character, which no environment variable can hold");
    }

    @Test
    void aFirstCommandThatIsMissingIsRefused() {
        bench.write("missing", "tasks: [{name: only, command: [no-such-program-anywhere]}]\n");
        RunFacts facts = bench.refused(execution("missing", 1, Map.of()));
        assertThat(facts.reason()).isEqualTo("CommandNotFound");
        assertThat(facts.message())
                .startsWith("task 1 of 1, only: there is no program no-such-program-anywhere on the server");
        neverRan(facts, FailureReason.ConfigurationError);
    }

    @Test
    void aFirstCommandThatIsNoProgramIsRefused() {
        bench.write("folder", "tasks: [{name: only, command: [./]}]\n");
        RunFacts facts = bench.refused(execution("folder", 1, Map.of()));
        assertThat(facts.reason()).isEqualTo("NotExecutable");
        neverRan(facts, FailureReason.ConfigurationError);
    }

    @Test
    void theVersionThatIsAskedForIsTheOneThatRuns() {
        bench.write("typed-2", "version: 2\ntasks: [{name: only, command: [\"true\"]}]\n");
        assertThat(bench.prepare(execution("typed-2", 1, Map.of())).version()).isNotEmpty();
        Execution other = execution("typed-2", 2, Map.of());
        ExecutionSpec spec = new ExecutionSpec(
                new WorkflowRef("typed-2", "3", "", ""),
                "node/worker-1",
                new TreeMap<>(),
                Optional.empty(),
                Optional.empty(),
                "",
                ExecutionConfig.DEFAULT);
        assertThat(bench.refused(Execution.pending(other.ref(), Bench.NOW, spec))
                        .message())
                .isEqualTo("workflow \"typed-2 3\" is not in the catalogue: it has the versions 2");
    }
}
