package dev.escapement.server.cli;

import dev.escapement.server.cli.text.Terminal;
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
@ExitsWith({ExitCodes.OK})
final class WarmUpCommand implements Callable<Integer> {

    private static final String WORKFLOW = """
            id: warm-up
            tasks:
              - name: nothing
                command: ["true"]
            """;

    private final Surroundings surroundings;

    WarmUpCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws IOException {
        Path folder = Files.createTempDirectory("escapement-warm-up");
        try (TemporaryFolder data = new TemporaryFolder(folder)) {
            Path workflows = Files.createDirectories(data.path().resolve("workflows"));
            Files.writeString(workflows.resolve("warm-up.yaml"), WORKFLOW);
            try (StandaloneServer server = StandaloneServer.start(SettingsReader.read(new SettingsSources(
                    Map.of("data", data.path().toString(), "port", "0", "log-level", "error"),
                    Map.of(),
                    surroundings.home(),
                    surroundings.workingDirectory())))) {
                return commands(server);
            }
        }
    }

    private int commands(StandaloneServer server) {
        List<String[]> commands = List.of(
                new String[] {"--help"},
                new String[] {"get", "workflows"},
                new String[] {"run", "warm-up", "node/warm-up", "--wait"},
                new String[] {"explain", "warm-up", "node/warm-up"},
                new String[] {"get", "executions", "-o", "yaml"},
                new String[] {"describe", "target", "node/warm-up", "-o", "json"},
                new String[] {"describe", "target", "node/warm-up"},
                new String[] {"ladder"});
        Map<String, String> environment = new HashMap<>(surroundings.environment());
        environment.put("ESCAPEMENT_SERVER", server.address().toString());
        Terminal silent = new Terminal(
                new PrintWriter(PrintWriter.nullWriter()), new PrintWriter(PrintWriter.nullWriter()), true, true);
        for (String[] command : commands) {
            int code = CommandLineProgram.run(surroundings.with(silent, environment), command);
            if (code > ExitCodes.NO) {
                return code;
            }
        }
        return ExitCodes.OK;
    }
}
