package dev.escapement.process.runner;

import dev.escapement.engine.contract.WorkflowRunnerContract;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.port.WorkflowRunner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** Runs the contract with real processes; each run reads its exit code from a named pipe. */
class ProcessRunnerContractTest extends WorkflowRunnerContract {

    private final Path root;
    private final ProcessRunnerFixture fixture;

    ProcessRunnerContractTest(@TempDir Path root) throws IOException {
        this.root = root;
        this.fixture = new ProcessRunnerFixture(root);
    }

    @Override
    protected Fixture open() {
        fixture.writeWorkflowYaml("wait", """
                parameters: [{name: GATE, required: true}]
                tasks: [{name: wait, command: [sh, -c, 'echo "$ESCAPEMENT_EPOCH" >"$GATE.epoch"; read code <"$GATE"; exit $code']}]
                """);
        for (int number = 1; number <= 3; number++) {
            fixture.createFifo("gate-" + number);
        }
        return new ProcessContractFixture();
    }

    @AfterEach
    void close() throws IOException {
        fixture.close();
    }

    private final class ProcessContractFixture implements Fixture {

        @Override
        public WorkflowRunner runner() {
            return fixture.runner();
        }

        @Override
        public Execution execution(int number) {
            return ProcessRunnerFixture.execution(
                    "wait",
                    number,
                    Map.of("GATE", root.resolve("gate-" + number).toString()));
        }

        @Override
        public Execution executionOfUnknownWorkflow() {
            return ProcessRunnerFixture.execution("no-such-workflow", 9, Map.of());
        }

        @Override
        public String epoch(RunRef run) throws IOException {
            endRun(run, true);
            return Files.readString(root.resolve("gate-" + gateNumber(run) + ".epoch"))
                    .strip();
        }

        private String gateNumber(RunRef run) {
            return run.name().substring(run.name().length() - 1);
        }

        @Override
        public void endRun(RunRef run, boolean success) throws IOException {
            Files.writeString(root.resolve("gate-" + gateNumber(run)), success ? "0\n" : "1\n");
            fixture.awaitEnd(run);
        }

        @Override
        public void awaitStopped(RunRef run) {
            fixture.awaitEnd(run);
        }
    }
}
