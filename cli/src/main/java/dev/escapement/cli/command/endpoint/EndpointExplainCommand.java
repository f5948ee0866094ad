package dev.escapement.cli.command.endpoint;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.api.endpoint.EndpointExplanation;
import dev.escapement.cli.CommandContext;
import dev.escapement.cli.DocumentedExitCodes;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.client.ApiPath;
import dev.escapement.cli.option.OutputOption;
import dev.escapement.cli.output.ApiValues;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Command {@code endpoint explain}. */
@Command(
        name = "explain",
        description = {
            "Shows when an endpoint runs next, and why not sooner or later.",
            "",
            "One sentence per line: the rule that decided, the bound that moved the time, the rejected times, and",
            "the time without hints. 'escapement runs ID' shows the same for a past run."
        },
        footerHeading = "%nExample:%n",
        footer = "  escapement endpoint explain health")
@DocumentedExitCodes({ExitCodes.OK, ExitCodes.NOT_FOUND})
final class EndpointExplainCommand extends EndpointClientCommand {

    @Parameters(paramLabel = "NAME", description = "Name or id of the endpoint.")
    private String name = "";

    @Mixin
    private final OutputOption output = new OutputOption();

    EndpointExplainCommand(CommandContext context) {
        super(context);
    }

    @Override
    protected int execute(ApiClient api) {
        JsonNode document = api.get(ApiPath.of("endpoints", name, "explain"));
        EndpointExplanation response = ApiValues.read(document, EndpointExplanation.class);
        if (!output.printIfMachineReadable(document, ApiValues.text(response.endpoint()), terminal)) {
            ApiValues.text(response.explanation()).lines().forEach(terminal::printSafeLine);
        }
        return ExitCodes.OK;
    }
}
