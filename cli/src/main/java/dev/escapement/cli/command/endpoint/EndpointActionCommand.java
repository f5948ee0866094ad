package dev.escapement.cli.command.endpoint;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.escapement.cli.CommandContext;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.ApiPath;
import dev.escapement.cli.client.ClientJson;
import dev.escapement.cli.command.ClientCommand;
import dev.escapement.cli.option.ActorOption;
import dev.escapement.cli.option.OutputOption;
import dev.escapement.cli.output.EndpointJsonView;
import dev.escapement.cli.output.NextRunText;
import dev.escapement.cli.output.terminal.TerminalText;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** A command that asks something of one endpoint, and says what follows from it. */
abstract class EndpointActionCommand extends ClientCommand {

    @Parameters(paramLabel = "NAME", description = "The endpoint.")
    String name = "";

    @Mixin
    final ActorOption actor;

    @Mixin
    final OutputOption output = new OutputOption();

    EndpointActionCommand(CommandContext surroundings) {
        super(surroundings);
        this.actor = new ActorOption(surroundings);
    }

    final ApiPath actionPath(String what) {
        return ApiPath.of("endpoints", name, what);
    }

    /** With word of who asks. */
    final ObjectNode requestBody() {
        return ClientJson.createObject().put("by", actor.name());
    }

    /** Says what was done, and when it runs now. */
    final int printResult(JsonNode document, String what) {
        EndpointJsonView endpoint = new EndpointJsonView(document);
        if (!output.printIfMachineReadable(document, endpoint.name(), terminal)) {
            String next = NextRunText.describe(endpoint, context.clock().instant());
            terminal.printLine(TerminalText.singleLine("endpoint %s %s: %s".formatted(endpoint.name(), what, next)));
        }
        return ExitCodes.OK;
    }
}
