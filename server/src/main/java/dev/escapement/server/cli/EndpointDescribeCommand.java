package dev.escapement.server.cli;

import dev.escapement.server.cli.api.ApiClient;
import dev.escapement.server.cli.api.Listing;
import dev.escapement.server.cli.api.Resource;
import dev.escapement.server.cli.view.EndpointPage;
import dev.escapement.server.cli.view.EndpointView;
import dev.escapement.server.cli.view.RunView;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Tells all about one endpoint. */
@Command(
        name = "describe",
        sortOptions = false,
        description = {
            "Tells all about an endpoint: what it calls, how it does, when it runs next and why then.",
            "",
            "Every other time that was considered is shown with the rule it fell by. Secrets are not shown.",
            ""
        },
        footer = {"", "Example:", "  escapement endpoint describe health"})
@ExitsWith({ExitCodes.OK, ExitCodes.NOT_FOUND})
final class EndpointDescribeCommand extends ClientCommand {

    private static final int RUNS = 5;

    @Parameters(paramLabel = "NAME", description = "The endpoint: its name, or its id.")
    private String name = "";

    @Mixin
    private final Output output = new Output();

    EndpointDescribeCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    int ask(ApiClient api) {
        EndpointView endpoint = new EndpointView(api.get(Resource.of("endpoints", name)));
        if (!output.print(endpoint.document(), endpoint.name(), terminal)) {
            List<RunView> runs = Listing.of(api, Resource.of("endpoints", name, "runs"), RUNS).items().stream()
                    .map(RunView::new)
                    .toList();
            new EndpointPage(terminal, surroundings.clock().instant()).print(endpoint, runs);
        }
        return ExitCodes.OK;
    }
}
