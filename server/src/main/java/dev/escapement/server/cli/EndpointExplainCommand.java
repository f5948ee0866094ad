package dev.escapement.server.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.server.cli.api.ApiClient;
import dev.escapement.server.cli.api.Json;
import dev.escapement.server.cli.api.Resource;
import dev.escapement.server.cli.text.Printable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Says why an endpoint runs when it runs. */
@Command(
        name = "explain",
        sortOptions = false,
        description = {
            "When does this endpoint run next, and why not sooner or later?",
            "",
            "One sentence a line: what decided, what moved it, what was not taken and by which rule, and what",
            "would have happened without hints. 'escapement runs ID' tells the same of a run that has been.",
            ""
        },
        footer = {"", "Example:", "  escapement endpoint explain health"})
@ExitsWith({ExitCodes.OK, ExitCodes.NOT_FOUND})
final class EndpointExplainCommand extends ClientCommand {

    @Parameters(paramLabel = "NAME", description = "The endpoint: its name, or its id.")
    private String name = "";

    @Mixin
    private final Output output = new Output();

    EndpointExplainCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    int ask(ApiClient api) {
        JsonNode answer = api.get(Resource.of("endpoints", name, "explain"));
        if (!output.print(answer, Json.text(answer, "/endpoint"), terminal)) {
            Json.text(answer, "/explanation").lines().forEach(line -> terminal.line(Printable.line(line)));
        }
        return ExitCodes.OK;
    }
}
