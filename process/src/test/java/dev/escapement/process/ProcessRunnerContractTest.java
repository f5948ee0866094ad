package dev.escapement.process;

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

/** With real processes: the run of each execution waits at a pipe for its exit code. */
class ProcessRunnerContractTest extends WorkflowRunnerContract {

    private final Path root;
    private final Bench bench;

    ProcessRunnerContractTest(@TempDir Path root) throws IOException {
        this.root = root;
        this.bench = new Bench(root);
    }

    @Override
    protected Fixture open() {
        bench.write("wait", """
                parameters: [{name: GATE, required: true}]
                tasks: [{name: wait, command: [sh, -c, 'echo "$ESCAPEMENT_EPOCH" >"$GATE.epoch"; read code <"$GATE"; exit $code']}]
                """);
        for (int number = 1; number <= 3; number++) {
            bench.fifo("gate-" + number);
        }
        return new ProcessWorld();
    }

    @AfterEach
    void close() throws IOException {
        bench.close();
    }

    private final class ProcessWorld implements Fixture {

        @Override
        public WorkflowRunner runner() {
            return bench.runner();
        }

        @Override
        public Execution execution(int number) {
            return Bench.execution(
                    "wait",
                    number,
                    Map.of("GATE", root.resolve("gate-" + number).toString()));
        }

        @Override
        public Execution executionOfUnknownWorkflow() {
            return Bench.execution("no-such-workflow", 9, Map.of());
        }

        @Override
        public String epoch(RunRef run) throws IOException {
            endRun(run, true);
            return Files.readString(root.resolve("gate-" + number(run) + ".epoch"))
                    .strip();
        }

        private String number(RunRef run) {
            return run.name().substring(run.name().length() - 1);
        }

        @Override
        public void endRun(RunRef run, boolean well) throws IOException {
            Files.writeString(root.resolve("gate-" + number(run)), well ? "0\n" : "1\n");
            bench.awaitEnd(run);
        }

        @Override
        public void awaitStopped(RunRef run) {
            bench.awaitEnd(run);
        }
    }
}
