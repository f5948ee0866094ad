package dev.escapement.cli.command.tools;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.escapement.cli.CommandLineProgram;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.command.ContextCommand;
import dev.escapement.cli.option.OutputOption;
import dev.escapement.common.Json;
import dev.escapement.server.BuildInfo;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "version",
        description = "Shows the versions of the program and of Java.",
        footer = "  escapement version -o json")
public final class VersionCommand extends ContextCommand {

    @Mixin
    private final OutputOption output = new OutputOption();

    @Override
    public Integer call() {
        String version = BuildInfo.version();
        ObjectNode document = Json.mapper()
                .createObjectNode()
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
