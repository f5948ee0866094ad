package dev.escapement.cli.command.endpoint;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.cli.CommandContext;
import dev.escapement.cli.DocumentedExitCodes;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.client.ApiPath;
import dev.escapement.cli.client.ClientJson;
import dev.escapement.cli.command.ClientCommand;
import dev.escapement.cli.option.OutputOption;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Command {@code endpoint explain}. */
@Command(
        name = "explain",
        sortOptions = false,
        description = {
            "Shows when an endpoint runs next, and why not sooner or later.",
            "",
            "One sentence per line: the rule that decided, the bound that moved the time, the rejected times, and",
            "the time without hints. 'escapement runs ID' shows the same for a past run.",
            ""
        },
        footer = {"", "Example:", "  escapement endpoint explain health"})
@DocumentedExitCodes({ExitCodes.OK, ExitCodes.NOT_FOUND})
final class EndpointExplainCommand extends ClientCommand {

    @Parameters(paramLabel = "NAME", description = "Name or id of the endpoint.")
    private String name = "";

    @Mixin
    private final OutputOption output = new OutputOption();

    EndpointExplainCommand(CommandContext context) {
        super(context);
    }

    @Override
    protected int execute(ApiClient api) {
        JsonNode response = api.get(ApiPath.of("endpoints", name, "explain"));
        if (!output.printIfMachineReadable(response, ClientJson.text(response, "/endpoint"), terminal)) {
            ClientJson.text(response, "/explanation").lines().forEach(terminal::printSafeLine);
        }
        return ExitCodes.OK;
    }
}
