package dev.escapement.cli.command.endpoint;

import dev.escapement.cli.CommandContext;
import dev.escapement.cli.DocumentedExitCodes;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.client.ApiPath;
import dev.escapement.cli.client.ResourceList;
import dev.escapement.cli.command.ClientCommand;
import dev.escapement.cli.option.OutputOption;
import dev.escapement.cli.output.EndpointDescriber;
import dev.escapement.cli.output.EndpointJsonView;
import dev.escapement.cli.output.EndpointRunJsonView;
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
@DocumentedExitCodes({ExitCodes.OK, ExitCodes.NOT_FOUND})
final class EndpointDescribeCommand extends ClientCommand {

    private static final int MAX_RUNS = 5;

    @Parameters(paramLabel = "NAME", description = "The endpoint: its name, or its id.")
    private String name = "";

    @Mixin
    private final OutputOption output = new OutputOption();

    EndpointDescribeCommand(CommandContext surroundings) {
        super(surroundings);
    }

    @Override
    protected int execute(ApiClient api) {
        EndpointJsonView endpoint = new EndpointJsonView(api.get(ApiPath.of("endpoints", name)));
        if (!output.printIfMachineReadable(endpoint.document(), endpoint.name(), terminal)) {
            List<EndpointRunJsonView> runs =
                    ResourceList.fetch(api, ApiPath.of("endpoints", name, "runs"), MAX_RUNS).items().stream()
                            .map(EndpointRunJsonView::new)
                            .toList();
            new EndpointDescriber(terminal, context.clock().instant()).print(endpoint, runs);
        }
        return ExitCodes.OK;
    }
}
