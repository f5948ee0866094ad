package dev.escapement.cli.command.tools;

import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.ShutdownSignals;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.client.ApiException;
import dev.escapement.cli.client.ServerAddress;
import dev.escapement.cli.command.ContextCommand;
import dev.escapement.cli.command.DashboardAddress;
import dev.escapement.cli.output.terminal.TerminalStyle;
import dev.escapement.common.NamedThreadFactory;
import dev.escapement.server.StartException;
import dev.escapement.server.config.Settings;
import dev.escapement.server.config.SettingsReader;
import dev.escapement.server.config.SettingsSources;
import dev.escapement.server.standalone.StandaloneServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "demo",
        sortOptions = false,
        description = {
            "Shows the main features in less than a minute, on a real server with real processes.",
            "",
            "Starts a server with a temporary data folder, the example workflows and shortened periods. Plays a",
            "burst of alerts, a cooldown, a workflow that fails halfway and one that cannot start, and explains",
            "each result. Then the server and its dashboard stay up until Ctrl-C."
        },
        footer = {
            "  escapement demo",
            "  escapement demo --port 8484        the port that other commands use by default",
            "  escapement demo --exit             for scripts: 0 only if every result was as expected"
        })
@ExitCodes.Documented({ExitCodes.NO, ExitCodes.ADDRESS_IN_USE, ExitCodes.DATA_UNUSABLE, ExitCodes.DATABASE_UNUSABLE})
public final class DemoCommand extends ContextCommand {

    /** Set by the launcher: root folder of the clone. */
    private static final String HOME_PROPERTY = "escapement.home";

    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(20);
    private static final long MAX_MINUTES = 5;
    private static final String FINISHED = "the demo finishes";

    @Option(
            names = "--port",
            paramLabel = "N",
            defaultValue = "0",
            description = "Port of the server. Default: any free port")
    private int port;

    @Option(
            names = "--workflows",
            paramLabel = "DIR",
            description = "Folder with the example workflows. Default: examples/workflows of the clone")
    private Optional<Path> workflows = Optional.empty();

    @Option(names = "--exit", description = "Exit at the end instead of keeping the server up.")
    private boolean exitWhenDone;

    @Override
    public Integer call() throws IOException, InterruptedException {
        try (var data = new TemporaryDirectory(Files.createTempDirectory("escapement-demo"))) {
            return runOnServer(settings(data.path()));
        } catch (StartException failure) {
            terminal.err().println("escapement demo: " + failure.getMessage());
            return ExitCodes.forFailure(failure);
        }
    }

    private Settings settings(Path data) {
        String home =
                System.getProperty(HOME_PROPERTY, context.workingDirectory().toString());
        Path examples = workflows.orElse(Path.of(home, "examples", "workflows"));
        Map<String, String> flags = Map.of(
                "policy.cooldown-period", "25s",
                "policy.base-cooldown-period", "1s",
                "policy.max-cooldown-period", "10s",
                "data", data.toString(),
                "workflows", examples.toString(),
                "port", Integer.toString(port),
                "log-level", "error");
        // Without the environment: its settings are meant for other servers.
        return SettingsReader.read(new SettingsSources(flags, Map.of(), context.home(), context.workingDirectory()));
    }

    private int runOnServer(Settings settings) throws InterruptedException {
        try (StandaloneServer server = StandaloneServer.start(settings)) {
            terminal.printLine("Server and dashboard: %s   (temporary data in %s)"
                    .formatted(styledAddress(server, settings), settings.dataFolder()));
            int outcome = playInterruptibly(server, settings);
            if (!exitWhenDone && outcome != ExitCodes.INTERRUPTED) {
                keepServerUp(server, settings);
            }
            return outcome;
        }
    }

    /** Prints no report after an interrupt: the remaining scenes fail because the server is stopped. */
    private int playInterruptibly(StandaloneServer server, Settings settings) throws InterruptedException {
        AtomicBoolean interrupted = new AtomicBoolean();
        try (ShutdownSignals.Registration registration = context.shutdownSignals()
                .onInterrupt(() -> {
                    interrupted.set(true);
                    stop(server, settings.dataFolder());
                })) {
            assert registration != null;
            DemoSession session = play(server);
            return interrupted.get() ? ExitCodes.INTERRUPTED : session.printReport() ? ExitCodes.OK : ExitCodes.NO;
        }
    }

    private void keepServerUp(StandaloneServer server, Settings settings) throws InterruptedException {
        try (ShutdownSignals.Registration registration =
                context.shutdownSignals().onStop(() -> stop(server, settings.dataFolder()))) {
            assert registration != null;
            terminal.printLine("""

                    The server stays up: %s. To use it from another terminal:
                      export ESCAPEMENT_DATA=%s
                      ./escapement get executions
                      ./escapement describe target node/storage-node-7
                    Ctrl-C stops it and deletes its data.""".formatted(styledAddress(server, settings), settings.dataFolder()));
            server.awaitTermination();
        }
    }

    private String styledAddress(StandaloneServer server, Settings settings) {
        return terminal.styled(
                TerminalStyle.BOLD,
                DashboardAddress.of(server, settings, context).toString());
    }

    private static void stop(StandaloneServer server, Path data) {
        server.close();
        new TemporaryDirectory(data).close();
    }

    /** Aborts after {@link #MAX_MINUTES}: waiting for an event has no timeout of its own. */
    private DemoSession play(StandaloneServer server) throws InterruptedException {
        ApiClient api = new ApiClient(
                ServerAddress.parse(server.address().toString(), "the demo"),
                Optional.of(server.token()),
                REQUEST_TIMEOUT);
        DemoSession session = new DemoSession(context, api);
        ExecutorService executor = Executors.newSingleThreadExecutor(NamedThreadFactory.daemon("demo"));
        try {
            executor.submit(() -> new DemoScenario(session).play()).get(MAX_MINUTES, TimeUnit.MINUTES);
        } catch (ExecutionException failure) {
            Object shown = failure.getCause() instanceof ApiException refused ? refused.getMessage() : failure;
            session.expect(FINISHED, false, String.valueOf(shown));
        } catch (TimeoutException late) {
            session.expect(FINISHED, false, "not finished after " + MAX_MINUTES + " minutes");
        } finally {
            executor.shutdownNow();
        }
        return session;
    }
}
