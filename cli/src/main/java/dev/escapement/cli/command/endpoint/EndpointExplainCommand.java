package dev.escapement.cli.command.endpoint;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.api.endpoint.EndpointExplanation;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.client.ApiPath;
import dev.escapement.cli.client.ClientJson;
import dev.escapement.cli.command.DocumentCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "explain",
        description = {
            "Shows when an endpoint runs next, and why not sooner or later.",
            "",
            "One sentence per line: the rule that decided, the bound that moved the time, the rejected times, and",
            "the time without hints. 'escapement runs ID' shows the same for a past run."
        },
        footer = "  escapement endpoint explain health")
@ExitCodes.Documented(ExitCodes.NOT_FOUND)
final class EndpointExplainCommand extends DocumentCommand {

    @Parameters(paramLabel = "NAME", description = "Name or id of the endpoint.")
    private String name = "";

    @Override
    protected int execute(ApiClient api) {
        JsonNode document = api.get(ApiPath.of("endpoints", name, "explain"));
        EndpointExplanation response = ClientJson.read(document, EndpointExplanation.class);
        print(
                document,
                ClientJson.text(response.endpoint()),
                () -> ClientJson.text(response.explanation()).lines().forEach(terminal::printSafeLine));
        return ExitCodes.OK;
    }
}
