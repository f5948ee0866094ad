package dev.escapement.cli.command.tools;

import dev.escapement.cli.CommandContext;
import dev.escapement.cli.DocumentedExitCodes;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.ShutdownSignals;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.client.ApiException;
import dev.escapement.cli.client.EventFeed;
import dev.escapement.cli.client.ServerAddress;
import dev.escapement.cli.output.terminal.Terminal;
import dev.escapement.cli.output.terminal.TerminalStyle;
import dev.escapement.server.StartException;
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
@DocumentedExitCodes({
    ExitCodes.OK,
    ExitCodes.NO,
    ExitCodes.ADDRESS_IN_USE,
    ExitCodes.DATA_UNUSABLE,
    ExitCodes.DATABASE_UNUSABLE
})
public final class DemoCommand implements Callable<Integer> {

    /** Set by the launcher: where the clone is. */
    private static final String HOME_PROPERTY = "escapement.home";

    /** Shorter than any real ones, and of the same shape. */
    private static final Map<String, String> POLICY_SETTINGS = Map.of(
            "policy.cooldown-period", "25s",
            "policy.base-cooldown-period", "1s",
            "policy.max-cooldown-period", "10s");

    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(20);
    private static final Duration IDLE_TIMEOUT = Duration.ofSeconds(60);
    private static final long MAX_MINUTES = 5;

    private final CommandContext context;
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
    private boolean exitWhenDone;

    DemoCommand(CommandContext surroundings) {
        this.context = surroundings;
        this.terminal = surroundings.terminal();
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("escapement-demo");
        try (TemporaryDirectory data = new TemporaryDirectory(folder)) {
            return runOnServer(settings(data.path()));
        } catch (StartException failure) {
            terminal.err().println("escapement demo: " + failure.getMessage());
            return ExitCodes.forFailure(failure);
        }
    }

    private Settings settings(Path data) {
        Path examples = workflows.orElseGet(() -> Path.of(System.getProperty(
                        HOME_PROPERTY, context.workingDirectory().toString()))
                .resolve("examples/workflows"));
        Map<String, String> flags = new LinkedHashMap<>(POLICY_SETTINGS);
        flags.put("data", data.toString());
        flags.put("workflows", examples.toString());
        flags.put("port", Integer.toString(port));
        flags.put("log-level", "error");
        // Settings of other servers in the environment are none of the demo's.
        return SettingsReader.read(new SettingsSources(flags, Map.of(), context.home(), context.workingDirectory()));
    }

    private int runOnServer(Settings settings) throws InterruptedException {
        try (StandaloneServer server = StandaloneServer.start(settings)) {
            terminal.printLine("Server and page: "
                    + terminal.styled(TerminalStyle.BOLD, server.address().toString()) + "   (fresh data in "
                    + settings.dataFolder()
                    + ")");
            int outcome = playInterruptibly(server, settings);
            if (!exitWhenDone && outcome != ExitCodes.INTERRUPTED) {
                keepServerUp(server, settings);
            }
            return outcome;
        }
    }

    /** Whoever ends it in the middle has not seen what was promised, and is not told that they have. */
    private int playInterruptibly(StandaloneServer server, Settings settings) throws InterruptedException {
        AtomicBoolean interrupted = new AtomicBoolean();
        try (ShutdownSignals.Registration stop = context.shutdownSignals().onInterrupt(() -> {
            interrupted.set(true);
            stop(server, settings.dataFolder());
        })) {
            assert stop != null;
            DemoSession stage = play(server);
            // What failed after that failed because the server was gone.
            return interrupted.get() ? ExitCodes.INTERRUPTED : stage.printReport() ? ExitCodes.OK : ExitCodes.NO;
        }
    }

    private void keepServerUp(StandaloneServer server, Settings settings) throws InterruptedException {
        try (ShutdownSignals.Registration stop =
                context.shutdownSignals().onStop(() -> stop(server, settings.dataFolder()))) {
            assert stop != null;
            terminal.printLine("");
            terminal.printLine("The server stays up: "
                    + terminal.styled(TerminalStyle.BOLD, server.address().toString())
                    + ". To ask it from another terminal:");
            terminal.printLine("  export ESCAPEMENT_SERVER=" + server.address());
            terminal.printLine("  ./escapement get executions");
            terminal.printLine("  ./escapement describe target node/storage-node-7");
            terminal.printLine("Ctrl-C ends it and removes its data.");
            server.awaitTermination();
        }
    }

    private static void stop(StandaloneServer server, Path data) {
        server.close();
        new TemporaryDirectory(data).close();
    }

    /**
     * What waits for events waits for as long as it takes; a demo that takes for ever shows that something is wrong.
     */
    private DemoSession play(StandaloneServer server) throws InterruptedException {
        ApiClient api = new ApiClient(
                ServerAddress.parse(server.address().toString(), "the demo"), Optional.empty(), REQUEST_TIMEOUT);
        DemoSession stage = new DemoSession(context, api, () -> new EventFeed(api, context.sleeper(), IDLE_TIMEOUT));
        ExecutorService actor = Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task, "demo");
            thread.setDaemon(true);
            return thread;
        });
        try {
            actor.submit(() -> new DemoScenario(stage).play()).get(MAX_MINUTES, TimeUnit.MINUTES);
        } catch (ExecutionException failure) {
            stage.recordAbort(
                    failure.getCause() instanceof ApiException told
                            ? String.valueOf(told.getMessage())
                            : failure.toString());
        } catch (TimeoutException late) {
            stage.recordAbort("it was not over after " + MAX_MINUTES + " minutes");
        } finally {
            actor.shutdownNow();
        }
        return stage;
    }
}
