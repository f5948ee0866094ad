package dev.escapement.cli.command.endpoint;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.escapement.cli.CommandContext;
import dev.escapement.cli.client.ApiPath;
import dev.escapement.cli.client.ClientJson;
import dev.escapement.cli.option.ActorOption;
import dev.escapement.cli.option.OutputOption;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Base of the commands that act on one endpoint and print its next run. */
abstract class EndpointActionCommand extends EndpointClientCommand {

    @Parameters(paramLabel = "NAME", description = "Name of the endpoint.")
    private String name = "";

    @Mixin
    private final ActorOption actor;

    @Mixin
    final OutputOption output = new OutputOption();

    EndpointActionCommand(CommandContext context) {
        super(context);
        this.actor = new ActorOption(context);
    }

    final ApiPath actionPath(String action) {
        return ApiPath.of("endpoints", name, action);
    }

    /** Returns a body with the name of the actor. */
    final ObjectNode requestBody() {
        return ClientJson.createObject().put("by", actor.name());
    }

    final int printResult(JsonNode endpoint, String result) {
        return printChanged(endpoint, result, output);
    }
}
