package dev.escapement.server.cli;

import dev.escapement.server.cli.api.ApiClient;
import picocli.CommandLine.Command;

/** Ends a pause. */
@Command(
        name = "resume",
        sortOptions = false,
        description = {"Ends the pause of an endpoint: it is planned anew, from now.", ""},
        footer = {"", "Example:", "  escapement endpoint resume health"})
@ExitsWith({ExitCodes.OK, ExitCodes.NOT_FOUND})
final class EndpointResumeCommand extends SteeringCommand {

    EndpointResumeCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    int ask(ApiClient api) {
        return done(api.post(wish("resume"), body()), "is not paused");
    }
}
