package dev.escapement.cli.command.endpoint;

import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.client.ApiPath;
import dev.escapement.cli.client.ResourceList;
import dev.escapement.cli.command.DocumentCommand;
import dev.escapement.cli.output.EndpointDescriber;
import dev.escapement.cli.output.EndpointRunView;
import dev.escapement.cli.output.EndpointView;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "describe",
        description = {
            "Shows an endpoint: its definition, state, last runs, and next run with the reason for its time.",
            "",
            "Also shows the rejected times, each with the rule that rejected it. Secrets are hidden."
        },
        footer = "  escapement endpoint describe health")
@ExitCodes.Documented(ExitCodes.NOT_FOUND)
final class EndpointDescribeCommand extends DocumentCommand {

    private static final int MAX_RUNS = 5;

    @Parameters(paramLabel = "NAME", description = "Name or id of the endpoint.")
    private String name = "";

    @Override
    protected int execute(ApiClient api) {
        EndpointView endpoint = EndpointView.of(api.get(ApiPath.of("endpoints", name)));
        print(endpoint.document(), endpoint.name(), () -> {
            ResourceList runs = ResourceList.fetch(api, ApiPath.of("endpoints", name, "runs"), MAX_RUNS);
            new EndpointDescriber(terminal, now())
                    .print(
                            endpoint,
                            runs.items().stream().map(EndpointRunView::of).toList());
        });
        return ExitCodes.OK;
    }
}
