package dev.escapement.server.cli;

import dev.escapement.server.StartException;
import dev.escapement.server.cli.api.ApiClient;
import dev.escapement.server.cli.api.ApiFailure;
import dev.escapement.server.cli.api.EventFeed;
import dev.escapement.server.cli.api.ServerAddress;
import dev.escapement.server.cli.text.Terminal;
import dev.escapement.server.cli.text.Tone;
import dev.escapement.server.config.Settings;
import dev.escapement.server.config.SettingsReader;
import dev.escapement.server.config.SettingsSources;
import dev.escapement.server.standalone.StandaloneServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Plays on a real server what people come for. */
@Command(
        name = "demo",
        sortOptions = false,
        description = {
            "Shows in less than a minute what Escapement does, on a real server with real processes.",
            "",
            "It starts a server on a fresh data folder with the example workflows and with shortened periods,",
            "plays a storm of alerts, a cooldown, a workflow that breaks halfway and one that cannot start, says",
            "what happens and why, and leaves the server and its page up until Ctrl-C.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  escapement demo",
            "  escapement demo --port 8484        where everybody looks first",
            "  escapement demo --exit             for scripts: 0 only if everything happened as promised"
        })
@ExitsWith({ExitCodes.OK, ExitCodes.NO, ExitCodes.ADDRESS_IN_USE, ExitCodes.DATA_UNUSABLE, ExitCodes.DATABASE_UNUSABLE})
final class DemoCommand implements Callable<Integer> {

    /** Set by the launcher: where the clone is. */
    private static final String HOME = "escapement.home";

    /** Shorter than any real ones, and of the same shape. */
    private static final Map<String, String> PERIODS = Map.of(
            "policy.cooldown-period", "25s",
            "policy.base-cooldown-period", "1s",
            "policy.max-cooldown-period", "10s");

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration SILENCE = Duration.ofSeconds(60);
    private static final long LONGEST_MINUTES = 5;

    private final Surroundings surroundings;
    private final Terminal terminal;

    @Option(
            names = "--port",
            paramLabel = "N",
            defaultValue = "0",
            description = "The port of the server. Default: any free one")
    private int port;

    @Option(
            names = "--workflows",
            paramLabel = "DIR",
            description = "The folder of the example workflows. Default: examples/workflows of the clone")
    private Optional<Path> workflows = Optional.empty();

    @Option(names = "--exit", description = "End when everything was played, instead of leaving the server up.")
    private boolean exit;

    DemoCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
        this.terminal = surroundings.terminal();
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("escapement-demo");
        try (TemporaryFolder data = new TemporaryFolder(folder)) {
            return onServer(settings(data.path()));
        } catch (StartException failure) {
            terminal.err().println("escapement demo: " + failure.getMessage());
            return ExitCodes.of(failure);
        }
    }

    private Settings settings(Path data) {
        Path examples = workflows.orElseGet(() -> Path.of(
                        System.getProperty(HOME, surroundings.workingDirectory().toString()))
                .resolve("examples/workflows"));
        Map<String, String> flags = new LinkedHashMap<>(PERIODS);
        flags.put("data", data.toString());
        flags.put("workflows", examples.toString());
        flags.put("port", Integer.toString(port));
        flags.put("log-level", "error");
        // Settings of other servers in the environment are none of the demo's.
        return SettingsReader.read(
                new SettingsSources(flags, Map.of(), surroundings.home(), surroundings.workingDirectory()));
    }

    private int onServer(Settings settings) throws InterruptedException {
        try (StandaloneServer server = StandaloneServer.start(settings)) {
            terminal.line("Server and page: "
                    + terminal.in(Tone.STRONG, server.address().toString()) + "   (fresh data in "
                    + settings.dataFolder()
                    + ")");
            int outcome = whileItMayBeInterrupted(server, settings);
            if (!exit && outcome != ExitCodes.INTERRUPTED) {
                stay(server, settings);
            }
            return outcome;
        }
    }

    /** Whoever ends it in the middle has not seen what was promised, and is not told that they have. */
    private int whileItMayBeInterrupted(StandaloneServer server, Settings settings) throws InterruptedException {
        AtomicBoolean interrupted = new AtomicBoolean();
        try (Interrupts.Registration stop = surroundings.interrupts().onInterrupt(() -> {
            interrupted.set(true);
            stop(server, settings.dataFolder());
        })) {
            assert stop != null;
            DemoStage stage = play(server);
            // What failed after that failed because the server was gone.
            return interrupted.get() ? ExitCodes.INTERRUPTED : stage.end() ? ExitCodes.OK : ExitCodes.NO;
        }
    }

    private void stay(StandaloneServer server, Settings settings) throws InterruptedException {
        try (Interrupts.Registration stop =
                surroundings.interrupts().onStop(() -> stop(server, settings.dataFolder()))) {
            assert stop != null;
            terminal.line("");
            terminal.line("The server stays up: "
                    + terminal.in(Tone.STRONG, server.address().toString()) + ". To ask it from another terminal:");
            terminal.line("  export ESCAPEMENT_SERVER=" + server.address());
            terminal.line("  ./escapement get executions");
            terminal.line("  ./escapement describe target node/storage-node-7");
            terminal.line("Ctrl-C ends it and removes its data.");
            server.awaitTermination();
        }
    }

    private static void stop(StandaloneServer server, Path data) {
        server.close();
        new TemporaryFolder(data).close();
    }

    /**
     * What waits for events waits for as long as it takes; a demo that takes for ever shows that something is wrong.
     */
    private DemoStage play(StandaloneServer server) throws InterruptedException {
        ApiClient api =
                new ApiClient(ServerAddress.parse(server.address().toString(), "the demo"), Optional.empty(), PATIENCE);
        DemoStage stage = new DemoStage(surroundings, api, () -> new EventFeed(api, surroundings.pause(), SILENCE));
        ExecutorService actor = Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task, "demo");
            thread.setDaemon(true);
            return thread;
        });
        try {
            actor.submit(() -> new DemoScenes(stage).play()).get(LONGEST_MINUTES, TimeUnit.MINUTES);
        } catch (ExecutionException failure) {
            stage.broke(
                    failure.getCause() instanceof ApiFailure told
                            ? String.valueOf(told.getMessage())
                            : failure.toString());
        } catch (TimeoutException late) {
            stage.broke("it was not over after " + LONGEST_MINUTES + " minutes");
        } finally {
            actor.shutdownNow();
        }
        return stage;
    }
}
