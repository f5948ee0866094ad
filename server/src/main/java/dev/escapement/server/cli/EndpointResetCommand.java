package dev.escapement.server.cli;

import dev.escapement.server.cli.api.ApiClient;
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
@ExitsWith({ExitCodes.OK, ExitCodes.NOT_FOUND})
final class EndpointResetCommand extends SteeringCommand {

    EndpointResetCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    int ask(ApiClient api) {
        return done(api.post(wish("reset-failures"), body()), "has no failures any more");
    }
}
