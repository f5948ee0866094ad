package dev.escapement.cli.command.endpoint;

import dev.escapement.cli.CommandContext;
import dev.escapement.cli.DocumentedExitCodes;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.ApiClient;
import picocli.CommandLine.Command;

/** Ends a pause. */
@Command(
        name = "resume",
        sortOptions = false,
        description = {"Ends the pause of an endpoint: it is planned anew, from now.", ""},
        footer = {"", "Example:", "  escapement endpoint resume health"})
@DocumentedExitCodes({ExitCodes.OK, ExitCodes.NOT_FOUND})
final class EndpointResumeCommand extends EndpointActionCommand {

    EndpointResumeCommand(CommandContext surroundings) {
        super(surroundings);
    }

    @Override
    protected int execute(ApiClient api) {
        return printResult(api.post(actionPath("resume"), requestBody()), "is not paused");
    }
}
