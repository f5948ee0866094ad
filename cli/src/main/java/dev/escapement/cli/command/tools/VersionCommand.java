package dev.escapement.cli.command.tools;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.command.ContextCommand;
import dev.escapement.cli.option.OutputOption;
import dev.escapement.common.Json;
import dev.escapement.server.BuildInfo;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Mixin;

/** The command {@code version}, and the text of the option {@code --version}. */
@Command(
        name = "version",
        description = "Shows the versions of the program and of Java.",
        footer = "  escapement version -o json")
public final class VersionCommand extends ContextCommand implements IVersionProvider {

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
            Stream.of(getVersion()).forEach(terminal::printLine);
        }
        return ExitCodes.OK;
    }

    @Override
    public String[] getVersion() {
        return new String[] {"escapement " + BuildInfo.version(), "Java " + Runtime.version()};
    }
}
