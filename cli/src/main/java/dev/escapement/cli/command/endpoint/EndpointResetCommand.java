package dev.escapement.cli.command.endpoint;

import dev.escapement.cli.CommandContext;
import dev.escapement.cli.DocumentedExitCodes;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.ApiClient;
import picocli.CommandLine.Command;

/** Forgets an endpoint's failures. */
@Command(
        name = "reset",
        sortOptions = false,
        description = {
            "Forgets the failures of an endpoint: the backoff ends, and it is back on its baseline.",
            "",
            "Its history stays. If you want to know at once whether it works again: endpoint run --wait.",
            ""
        },
        footer = {"", "Example:", "  escapement endpoint reset health"})
@DocumentedExitCodes({ExitCodes.OK, ExitCodes.NOT_FOUND})
final class EndpointResetCommand extends EndpointActionCommand {

    EndpointResetCommand(CommandContext surroundings) {
        super(surroundings);
    }

    @Override
    protected int execute(ApiClient api) {
        return printResult(api.post(actionPath("reset-failures"), requestBody()), "has no failures any more");
    }
}
