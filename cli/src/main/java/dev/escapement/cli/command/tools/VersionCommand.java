package dev.escapement.cli.command.tools;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.escapement.cli.CommandContext;
import dev.escapement.cli.CommandLineProgram;
import dev.escapement.cli.DocumentedExitCodes;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.ClientJson;
import dev.escapement.cli.option.OutputOption;
import dev.escapement.cli.output.terminal.Terminal;
import dev.escapement.server.BuildInfo;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Command {@code version}. */
@Command(
        name = "version",
        description = {"Shows the versions of the program and of Java.", ""},
        footer = {"", "Example:", "  escapement version -o json"})
@DocumentedExitCodes({ExitCodes.OK})
public final class VersionCommand implements Callable<Integer> {

    private final Terminal terminal;

    @Mixin
    private final OutputOption output = new OutputOption();

    VersionCommand(CommandContext context) {
        this.terminal = context.terminal();
    }

    @Override
    public Integer call() {
        String version = BuildInfo.version();
        ObjectNode document = ClientJson.createObject()
                .put("version", version)
                .put("java", Runtime.version().toString());
        if (!output.printIfMachineReadable(document, version, terminal)) {
            for (String line : new CommandLineProgram.VersionProvider().getVersion()) {
                terminal.printLine(line);
            }
        }
        return ExitCodes.OK;
    }
}
