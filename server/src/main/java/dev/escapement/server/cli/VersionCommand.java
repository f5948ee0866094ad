package dev.escapement.server.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.escapement.server.BuildInfo;
import dev.escapement.server.cli.api.Json;
import dev.escapement.server.cli.text.Terminal;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Says which program this is. */
@Command(
        name = "version",
        description = {"Says which version this is, and of which Java.", ""},
        footer = {"", "Example:", "  escapement version -o json"})
@ExitsWith({ExitCodes.OK})
final class VersionCommand implements Callable<Integer> {

    private final Terminal terminal;

    @Mixin
    private final Output output = new Output();

    VersionCommand(Surroundings surroundings) {
        this.terminal = surroundings.terminal();
    }

    @Override
    public Integer call() {
        String version = BuildInfo.version();
        ObjectNode document = Json.object()
                .put("version", version)
                .put("java", Runtime.version().toString());
        if (!output.print(document, version, terminal)) {
            for (String line : new CommandLineProgram.Version().getVersion()) {
                terminal.line(line);
            }
        }
        return ExitCodes.OK;
    }
}
