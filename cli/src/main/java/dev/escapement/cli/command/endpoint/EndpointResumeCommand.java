package dev.escapement.cli.command.endpoint;

import dev.escapement.cli.CommandContext;
import dev.escapement.cli.DocumentedExitCodes;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.ApiClient;
import picocli.CommandLine.Command;

/** Command {@code endpoint resume}. */
@Command(
        name = "resume",
        description = "Ends the pause of an endpoint and plans its next run.",
        footerHeading = "%nExample:%n",
        footer = "  escapement endpoint resume health")
@DocumentedExitCodes({ExitCodes.OK, ExitCodes.NOT_FOUND})
final class EndpointResumeCommand extends EndpointActionCommand {

    EndpointResumeCommand(CommandContext context) {
        super(context);
    }

    @Override
    protected int execute(ApiClient api) {
        return printResult(api.post(actionPath("resume"), requestBody()), "resumed");
    }
}
