package dev.escapement.process.runner;

import static dev.escapement.process.runner.ProcessRunnerFixture.classify;
import static dev.escapement.process.runner.ProcessRunnerFixture.execution;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionSpec;
import dev.escapement.engine.execution.ExecutionSpec.ExecutionConfig;
import dev.escapement.engine.execution.ExecutionSpec.WorkflowRef;
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

/** Refused preparations and their messages. None of them counts as having run. */
class RunPreparerTest {

    private final ProcessRunnerFixture fixture;

    RunPreparerTest(@TempDir Path root) throws IOException {
        fixture = new ProcessRunnerFixture(root);
        fixture.writeWorkflowYaml("typed", """
                parameters:
                  - {name: COUNT, type: integer, required: true}
                  - {name: MODE, enum: [soft, hard], default: soft}
                tasks: [{name: only, command: ["true"]}]
                """);
    }

    @AfterEach
    void close() throws IOException {
        fixture.close();
    }

    private RunFacts prepareRefused(Map<String, String> parameters) {
        return fixture.prepareRefused(execution("typed", 1, parameters));
    }

    private static void assertNeverStarted(RunFacts facts, FailureReason reason) {
        Failure failure = classify(facts);
        assertThat(failure.reason()).isEqualTo(reason);
        assertThat(failure.wasExecutionFailure()).isFalse();
    }

    @Test
    void refusesUnknownWorkflowAndListsKnownOnes() {
        fixture.writeWorkflowYaml("broken", "tasks: 3\n");
        RunFacts facts = fixture.prepareRefused(execution("repare", 1, Map.of()));
        assertThat(facts.end()).isEqualTo(RunEnd.INVALID);
        assertThat(fixture.runner().validate(execution("repare", 1, Map.of()))).hasValue(facts.message());
        assertThat(facts.message())
                .isEqualTo("workflow \"repare\" is not in the catalogue: available workflows are typed;"
                        + " ignored because of errors: broken.yaml");
        assertNeverStarted(facts, FailureReason.ValidationError);
    }

    @Test
    void reportsAllParameterProblemsAtOnce() {
        RunFacts facts = prepareRefused(Map.of("COUNT", "many\u001b[31m", "MODE", "gentle", "SIZE", "3"));
        assertThat(facts.end()).isEqualTo(RunEnd.INVALID);
        assertThat(facts.message())
                .isEqualTo("parameter COUNT is \"many [31m\": it must be a whole number such as 3 (integer);"
                        + " parameter MODE is \"gentle\": it must be one of soft, hard;"
                        + " parameter \"SIZE\" is unknown: workflow typed has COUNT, MODE");
        assertNeverStarted(facts, FailureReason.ValidationError);
    }

    @Test
    void namesMissingParameter() {
        assertThat(prepareRefused(Map.of()).message())
                .isEqualTo("parameter COUNT is missing: it is required, as a whole number such as 3");
    }

    @Test
    void shortensLongValueInMessage() {
        assertThat(prepareRefused(Map.of("COUNT", "x".repeat(10_000))).message())
                .hasSizeLessThan(200);
    }

    @Test
    void refusesReservedVariables() {
        assertThat(prepareRefused(Map.of("COUNT", "1", "TARGET_RESOURCE", "node/other"))
                        .message())
                .contains("\"TARGET_RESOURCE\" is unknown");
        assertThat(prepareRefused(Map.of("COUNT", "1", "PATH", "/tmp")).message())
                .contains("\"PATH\" is unknown");
    }

    @Test
    void refusesValueThatCannotBeAnEnvironmentVariable() {
        fixture.writeWorkflowYaml("text", "parameters: [{name: TEXT}]\ntasks: [{name: only, command: [\"true\"]}]\n");
        assertThat(fixture.prepareRefused(execution("text", 1, Map.of("TEXT", "x".repeat(200_000))))
                        .message())
                .isEqualTo("parameter TEXT has 200005 bytes including its name:"
                        + " the limit for an environment variable is 131071");
        assertThat(fixture.prepareRefused(execution("text", 1, Map.of("TEXT", "a\0b")))
                        .message())
                .isEqualTo("parameter TEXT has a NUL character, which no environment variable can contain");
    }

    @Test
    void refusesMissingFirstCommand() {
        fixture.writeWorkflowYaml("missing", "tasks: [{name: only, command: [no-such-program-anywhere]}]\n");
        RunFacts facts = fixture.prepareRefused(execution("missing", 1, Map.of()));
        assertThat(facts.reason()).isEqualTo("CommandNotFound");
        assertThat(facts.message())
                .startsWith("task 1 of 1, only: there is no program no-such-program-anywhere on the server");
        assertNeverStarted(facts, FailureReason.ConfigurationError);
    }

    @Test
    void refusesFirstCommandThatIsNotExecutable() {
        fixture.writeWorkflowYaml("folder", "tasks: [{name: only, command: [./]}]\n");
        RunFacts facts = fixture.prepareRefused(execution("folder", 1, Map.of()));
        assertThat(facts.reason()).isEqualTo("NotExecutable");
        assertNeverStarted(facts, FailureReason.ConfigurationError);
    }

    @Test
    void refusesVersionThatDoesNotExist() {
        fixture.writeWorkflowYaml("typed-2", "version: 2\ntasks: [{name: only, command: [\"true\"]}]\n");
        assertThat(fixture.prepare(execution("typed-2", 1, Map.of())).version()).isNotEmpty();
        Execution other = execution("typed-2", 2, Map.of());
        ExecutionSpec spec = new ExecutionSpec(
                new WorkflowRef("typed-2", "3", "", ""),
                "node/worker-1",
                new TreeMap<>(),
                Optional.empty(),
                Optional.empty(),
                "",
                ExecutionConfig.DEFAULT);
        assertThat(fixture.prepareRefused(Execution.pending(other.ref(), ProcessRunnerFixture.NOW, spec))
                        .message())
                .isEqualTo("workflow \"typed-2 3\" is not in the catalogue: available versions are 2");
    }
}
