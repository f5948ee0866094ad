package dev.escapement.cli.command.tools;

import dev.escapement.cli.CommandContext;
import dev.escapement.cli.CommandLineProgram;
import dev.escapement.cli.DocumentedExitCodes;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.output.terminal.Terminal;
import dev.escapement.server.config.SettingsReader;
import dev.escapement.server.config.SettingsSources;
import dev.escapement.server.standalone.StandaloneServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/**
 * Does once what people do often, and leaves nothing behind: the launcher has Java keep the classes that this loads, so
 * that every start after it is quick.
 */
@Command(
        name = "warm-up",
        hidden = true,
        description = {"For the launcher: does once what people do often, so that Java can keep what it loads.", ""},
        footer = {"", "Example:", "  escapement warm-up"})
@DocumentedExitCodes({ExitCodes.OK})
public final class WarmUpCommand implements Callable<Integer> {

    private static final String WORKFLOW = """
            id: warm-up
            tasks:
              - name: nothing
                command: ["true"]
            """;

    private final CommandContext context;

    WarmUpCommand(CommandContext surroundings) {
        this.context = surroundings;
    }

    @Override
    public Integer call() throws IOException {
        Path folder = Files.createTempDirectory("escapement-warm-up");
        try (TemporaryDirectory data = new TemporaryDirectory(folder)) {
            Path workflows = Files.createDirectories(data.path().resolve("workflows"));
            Files.writeString(workflows.resolve("warm-up.yaml"), WORKFLOW);
            try (StandaloneServer server = StandaloneServer.start(SettingsReader.read(new SettingsSources(
                    Map.of("data", data.path().toString(), "port", "0", "log-level", "error"),
                    Map.of(),
                    context.home(),
                    context.workingDirectory())))) {
                return runCommands(server);
            }
        }
    }

    private int runCommands(StandaloneServer server) {
        List<String[]> commands = List.of(
                new String[] {"--help"},
                new String[] {"get", "workflows"},
                new String[] {"run", "warm-up", "node/warm-up", "--wait"},
                new String[] {"explain", "warm-up", "node/warm-up"},
                new String[] {"get", "executions", "-o", "yaml"},
                new String[] {"describe", "target", "node/warm-up", "-o", "json"},
                new String[] {"describe", "target", "node/warm-up"},
                new String[] {"ladder"});
        Map<String, String> environment = new HashMap<>(context.environment());
        environment.put("ESCAPEMENT_SERVER", server.address().toString());
        Terminal silent = new Terminal(
                new PrintWriter(PrintWriter.nullWriter()), new PrintWriter(PrintWriter.nullWriter()), true, true);
        for (String[] command : commands) {
            int code = CommandLineProgram.run(context.withTerminalAndEnvironment(silent, environment), command);
            if (code > ExitCodes.NO) {
                return code;
            }
        }
        return ExitCodes.OK;
    }
}
