package dev.escapement.cli.command.tools;

import dev.escapement.cli.CommandContext;
import dev.escapement.cli.CommandLineProgram;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.command.ContextCommand;
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
import picocli.CommandLine.Command;

/** Command {@code warm-up}: runs frequent commands once, so that the launcher can archive the classes they load. */
@Command(
        name = "warm-up",
        hidden = true,
        description = "For the launcher: loads the classes that frequent commands need. Leaves nothing behind.",
        footer = "  escapement warm-up")
public final class WarmUpCommand extends ContextCommand {

    private static final String WORKFLOW = """
            id: warm-up
            tasks:
              - name: nothing
                command: ["true"]
            """;

    private static final List<String> COMMANDS = List.of(
            "--help",
            "get workflows",
            "run warm-up node/warm-up --wait",
            "explain warm-up node/warm-up",
            "get executions -o yaml",
            "describe target node/warm-up -o json",
            "describe target node/warm-up",
            "ladder");

    @Override
    public Integer call() throws IOException {
        try (var data = new TemporaryDirectory(Files.createTempDirectory("escapement-warm-up"))) {
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
        Map<String, String> environment = new HashMap<>(context.environment());
        environment.put("ESCAPEMENT_SERVER", server.address().toString());
        environment.put("ESCAPEMENT_TOKEN", server.token());
        PrintWriter nowhere = new PrintWriter(PrintWriter.nullWriter());
        CommandContext silentContext =
                context.withTerminalAndEnvironment(new Terminal(nowhere, nowhere, true, true), environment);
        for (String command : COMMANDS) {
            int code = CommandLineProgram.run(silentContext, command.split(" "));
            if (code > ExitCodes.NO) {
                return code;
            }
        }
        return ExitCodes.OK;
    }
}
