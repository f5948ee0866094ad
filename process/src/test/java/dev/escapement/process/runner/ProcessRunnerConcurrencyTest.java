package dev.escapement.process.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.port.WorkflowRunner.Observation;
import dev.escapement.engine.port.WorkflowRunner.Preparation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Threads of one server that access the same run at the same moment. */
class ProcessRunnerConcurrencyTest {

    private static final int THREADS = 4;

    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    private final CyclicBarrier startBarrier = new CyclicBarrier(THREADS);
    private final ProcessRunnerFixture fixture;

    ProcessRunnerConcurrencyTest(@TempDir Path root) throws IOException {
        this.fixture = new ProcessRunnerFixture(root);
        fixture.writeWorkflowYaml("quick", "tasks: [{name: quick, command: [sh, -c, ':']}]");
        fixture.restart();
    }

    @AfterEach
    void close() throws IOException {
        threads.shutdownNow();
        fixture.close();
    }

    private <T> List<T> runTogether(List<Callable<T>> tasks) throws Exception {
        List<Future<T>> futures = new ArrayList<>();
        for (Callable<T> task : tasks) {
            futures.add(threads.submit(() -> {
                startBarrier.await();
                return task.call();
            }));
        }
        List<T> results = new ArrayList<>();
        for (Future<T> future : futures) {
            results.add(future.get());
        }
        return results;
    }

    private Preparation.Ready prepare(Execution execution) {
        return (Preparation.Ready) fixture.runner().prepare(execution);
    }

    @Test
    void concurrentPreparationsReturnTheSameRun() throws Exception {
        for (int round = 0; round < 500; round++) {
            Execution execution = ProcessRunnerFixture.execution("quick", round, Map.of());
            Callable<RunRef> prepare = () -> prepare(execution).run();
            List<RunRef> runs = runTogether(List.of(prepare, prepare, prepare, prepare));
            assertThat(runs)
                    .as("round " + round)
                    .containsOnly(prepare(execution).run());
        }
    }

    @Test
    void neverRemovesStartedRun() throws Exception {
        int startedRuns = 0;
        for (int round = 0; round < 100; round++) {
            Execution execution = ProcessRunnerFixture.execution("quick", round, Map.of());
            Callable<Optional<RunRef>> start = () -> {
                Preparation.Ready ready = prepare(execution);
                return fixture.runner().start(ready.run(), ready.version(), roundOf(execution))
                        ? Optional.of(ready.run())
                        : Optional.empty();
            };
            Callable<Optional<RunRef>> remove = () -> {
                fixture.runner().removeSuspended(execution.ref());
                return Optional.empty();
            };
            List<RunRef> started = runTogether(List.of(start, remove, start, remove)).stream()
                    .flatMap(Optional::stream)
                    .toList();
            for (RunRef run : started) {
                assertThat(fixture.runner().observe(run))
                        .as("round " + round)
                        .isNotInstanceOf(Observation.Missing.class);
            }
            assertThat(started).as("round " + round).hasSizeLessThanOrEqualTo(1);
            startedRuns += started.size();
        }
        assertThat(startedRuns).as("number of started runs").isPositive();
    }

    private static long roundOf(Execution execution) {
        return Long.parseLong(execution.ref().name().replaceAll("\\D", ""));
    }
}
