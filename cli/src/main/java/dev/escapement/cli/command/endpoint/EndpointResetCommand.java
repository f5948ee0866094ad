package dev.escapement.cli.command.endpoint;

import dev.escapement.cli.CommandContext;
import dev.escapement.cli.DocumentedExitCodes;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.ApiClient;
import picocli.CommandLine.Command;

/** Command {@code endpoint reset}. */
@Command(
        name = "reset",
        description = {
            "Resets the failure count of an endpoint: the backoff ends and the schedule applies again.",
            "",
            "The history stays. To check at once whether the endpoint works: endpoint run --wait"
        },
        footerHeading = "%nExample:%n",
        footer = "  escapement endpoint reset health")
@DocumentedExitCodes({ExitCodes.OK, ExitCodes.NOT_FOUND})
final class EndpointResetCommand extends EndpointActionCommand {

    EndpointResetCommand(CommandContext context) {
        super(context);
    }

    @Override
    protected int execute(ApiClient api) {
        return printResult(api.post(actionPath("reset-failures"), requestBody()), "failures reset");
    }
}
