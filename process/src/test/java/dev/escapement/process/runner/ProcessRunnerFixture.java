package dev.escapement.process.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionSpec;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.port.WorkflowRunner.Observation;
import dev.escapement.engine.port.WorkflowRunner.Preparation;
import dev.escapement.governor.failure.Failure;
import dev.escapement.governor.failure.FailureClassifier;
import dev.escapement.governor.failure.RunFacts;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.process.catalogue.Catalogue;
import dev.escapement.process.run.RunFolder;
import dev.escapement.process.run.RunFolderStore;
import dev.escapement.process.run.RunPlan;
import dev.escapement.process.runner.RunnerSettings.ServerLeaseView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/** A runner with real processes in a temporary folder. Waits for its notifications instead of polling. */
public final class ProcessRunnerFixture implements AutoCloseable {

    public static final Instant NOW = Instant.parse("2026-11-15T12:00:00Z");
    private static final long TIMEOUT_SECONDS = 60;

    public final Path root;
    final Path workflows;
    final BlockingQueue<ExecutionRef> changes = new LinkedBlockingQueue<>();
    private final Map<String, String> environment = new TreeMap<>(System.getenv());
    RunnerSettings settings;
    InstantSource clock = InstantSource.system();
    /** The view of a server that does not share its database: runs of all other servers are lost. */
    ServerLeaseView leases = new ServerLeaseView(server -> true, Optional::empty);

    Predicate<ExecutionRef> isOwned = any -> true;
    RandomGenerator random = new SplittableRandom();
    Optional<ProcessRunner> openRunner = Optional.empty();

    public ProcessRunnerFixture(Path root) throws IOException {
        this.root = root;
        this.workflows = Files.createDirectories(root.resolve("workflows"));
        this.settings = new RunnerSettings(
                root.resolve("data"), "server-1", 10L << 20, Duration.ofSeconds(2), 1000, Duration.ofDays(7));
        environment.put("A_SECRET_OF_THE_SERVER", "hidden");
    }

    void setLogLimit(long bytes) {
        settings = new RunnerSettings(
                settings.dataFolder(),
                settings.serverId(),
                bytes,
                settings.stopGracePeriod(),
                settings.keepRuns(),
                settings.keepFor());
    }

    void setStopGracePeriod(Duration gracePeriod) {
        settings = new RunnerSettings(
                settings.dataFolder(),
                settings.serverId(),
                settings.logLimit(),
                gracePeriod,
                settings.keepRuns(),
                settings.keepFor());
    }

    ProcessRunner runner() {
        return openRunner.orElseGet(() -> {
            restart();
            return openRunner.orElseThrow();
        });
    }

    /** Opens the runner, after closing a previous one, and recovers its runs. */
    int restart() {
        try {
            openRunner.ifPresent(ProcessRunner::close);
            ProcessRunner runner = new ProcessRunner(
                    settings,
                    new Catalogue(workflows),
                    leases,
                    changes::add,
                    () -> clock.instant(),
                    () -> random.nextLong(),
                    environment);
            openRunner = Optional.of(runner);
            return runner.recover(isOwned);
        } catch (IOException failed) {
            throw new AssertionError(failed);
        }
    }

    /** Writes a workflow with one task per shell script. */
    public void writeWorkflow(String id, String... scripts) {
        StringBuilder yaml = new StringBuilder("tasks:\n");
        for (int i = 0; i < scripts.length; i++) {
            yaml.append(
                    "  - {name: task-%d, command: [sh, -c, '%s']}\n".formatted(i + 1, scripts[i].replace("'", "''")));
        }
        writeWorkflowYaml(id, yaml.toString());
    }

    void writeWorkflowYaml(String id, String yaml) {
        try {
            Files.writeString(workflows.resolve(id + ".yaml"), "id: " + id + "\n" + yaml);
        } catch (IOException failed) {
            throw new AssertionError(failed);
        }
    }

    public static Execution execution(String workflow, int number, Map<String, String> parameters) {
        return Execution.pending(
                new ExecutionRef("ops", "e" + number, "00000000-0000-0000-0000-%012d".formatted(number)),
                NOW,
                ExecutionSpec.of(workflow, "node/worker-1", parameters));
    }

    Preparation.Ready prepare(Execution execution) {
        Preparation preparation = runner().prepare(execution);
        assertThat(preparation).isInstanceOf(Preparation.Ready.class);
        return (Preparation.Ready) preparation;
    }

    RunFacts prepareRefused(Execution execution) {
        Preparation preparation = runner().prepare(execution);
        assertThat(preparation).isInstanceOf(Preparation.Refused.class);
        return ((Preparation.Refused) preparation).facts();
    }

    public RunRef start(Execution execution) {
        Preparation.Ready ready = prepare(execution);
        assertThat(runner().start(ready.run(), ready.version(), 7)).isTrue();
        return ready.run();
    }

    /** Runs a workflow to its end. */
    RunRef runToEnd(String workflow, Map<String, String> parameters) {
        RunRef run = start(execution(workflow, 1, parameters));
        awaitEnd(run);
        return run;
    }

    Failure awaitFailure(String workflow, Map<String, String> parameters) {
        return awaitFailure(runToEnd(workflow, parameters));
    }

    Failure awaitFailure(RunRef run) {
        Observation observed = awaitEnd(run);
        assertThat(observed).isInstanceOf(Observation.Failed.class);
        return classify(((Observation.Failed) observed).facts());
    }

    static Failure classify(RunFacts facts) {
        return FailureClassifier.classify("w", "node/worker-1", facts);
    }

    /** Waits for notifications until the run has ended. */
    Observation awaitEnd(RunRef run) {
        Observation observed = runner().observe(run);
        while (observed instanceof Observation.Running || observed instanceof Observation.Suspended) {
            awaitChange();
            observed = runner().observe(run);
        }
        return observed;
    }

    void awaitChange() {
        try {
            assertThat(changes.poll(TIMEOUT_SECONDS, TimeUnit.SECONDS))
                    .as("notification of the runner within a minute")
                    .isNotNull();
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }

    String readLog(RunRef run) {
        return runner().read(run, 0, 1 << 20).text();
    }

    public RunFolder openFolder(RunRef run) {
        return new RunFolder(runFolder(run), random);
    }

    public Path runFolder(RunRef run) {
        return root.resolve("data/runs").resolve(run.name().substring(run.name().indexOf('/') + 1));
    }

    /** Returns whether the process whose pid is in the file is alive; a zombie is not. */
    static boolean isAlive(Path pidFile) throws IOException {
        Path stat = Path.of("/proc", Files.readString(pidFile).strip(), "stat");
        return Files.exists(stat) && !Files.readString(stat).contains(") Z ");
    }

    /** Creates a named pipe on which a task can wait: opening one end blocks until the other is opened. */
    public Path createFifo(String name) {
        try {
            Path fifo = root.resolve(name);
            assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor())
                    .isZero();
            return fifo;
        } catch (IOException | InterruptedException failed) {
            throw new AssertionError(failed);
        }
    }

    /** Stops all active runs. */
    @Override
    public void close() throws IOException {
        if (openRunner.isEmpty() || !Files.isDirectory(root.resolve("data/runs"))) {
            return;
        }
        RunFolderStore runs = new RunFolderStore(root.resolve("data/runs").toAbsolutePath(), random);
        for (String key : runs.keys()) {
            Optional<RunPlan> plan = runs.folder(key).readPlan();
            if (plan.isPresent() && runs.folder(key).owner().isPresent()) {
                RunRef run =
                        new RunRef(settings.serverId() + "/" + key, plan.get().uid());
                runner().stop(run, "the end of the test");
                awaitEnd(run);
            }
        }
        runner().close();
    }
}
