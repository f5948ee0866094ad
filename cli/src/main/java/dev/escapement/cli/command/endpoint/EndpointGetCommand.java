package dev.escapement.cli.command.endpoint;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.cli.CommandContext;
import dev.escapement.cli.DocumentedExitCodes;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.client.ApiPath;
import dev.escapement.cli.client.ResourceList;
import dev.escapement.cli.command.ClientCommand;
import dev.escapement.cli.option.LimitOption;
import dev.escapement.cli.option.OutputOption;
import dev.escapement.cli.output.EndpointJsonView;
import dev.escapement.cli.output.EndpointTable;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists endpoints. */
@Command(
        name = "get",
        sortOptions = false,
        description = {
            "Lists endpoints by name, with their next run and what decided its time; or shows one.",
            "",
            "What -o yaml prints can be changed and given to 'endpoint import'; hidden values stay as they are.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  escapement endpoint get",
            "  escapement endpoint get --state failing -o wide",
            "  escapement endpoint get --all -o yaml > endpoints.yaml",
            "  escapement endpoint get health -o json | jq .status.nextRun"
        })
@DocumentedExitCodes({ExitCodes.OK, ExitCodes.NOT_FOUND})
final class EndpointGetCommand extends ClientCommand {

    /** Which endpoints. */
    enum StateFilter {
        FAILING,
        PAUSED,
        RUNNING,
        ARCHIVED
    }

    @Parameters(arity = "0..1", paramLabel = "NAME", description = "Only this one: its name, or its id.")
    private Optional<String> name = Optional.empty();

    @Option(
            names = "--state",
            paramLabel = "STATE",
            description = "Only those that are failing, paused, running or archived. Default: all but archived")
    private Optional<StateFilter> state = Optional.empty();

    @Mixin
    private final LimitOption limitOption = new LimitOption();

    @Mixin
    private final OutputOption output = new OutputOption();

    EndpointGetCommand(CommandContext surroundings) {
        super(surroundings);
    }

    @Override
    protected int execute(ApiClient api) {
        if (name.isPresent()) {
            JsonNode one = api.get(ApiPath.of("endpoints", name.get()));
            if (!output.printIfMachineReadable(one, new EndpointJsonView(one).name(), terminal)) {
                print(List.of(new EndpointJsonView(one)));
            }
            return ExitCodes.OK;
        }
        ApiPath wanted = ApiPath.of("endpoints")
                .withParameter("state", state.map(given -> given.name().toLowerCase(Locale.ROOT)));
        ResourceList listing = ResourceList.fetch(api, wanted, limitOption.limit());
        List<EndpointJsonView> endpoints =
                listing.items().stream().map(EndpointJsonView::new).toList();
        if (output.isNamesOnly()) {
            endpoints.forEach(
                    endpoint -> output.printIfMachineReadable(endpoint.document(), endpoint.name(), terminal));
        } else if (!output.printIfMachineReadable(listing.toDocument(), "", terminal)) {
            print(endpoints);
        }
        limitOption.printIfTruncated(listing, terminal);
        return ExitCodes.OK;
    }

    private void print(List<EndpointJsonView> endpoints) {
        if (endpoints.isEmpty()) {
            terminal.err()
                    .println(
                            state.isPresent()
                                    ? "no endpoints like that"
                                    : "no endpoints yet: escapement endpoint add NAME URL --every 5m");
            return;
        }
        new EndpointTable(terminal, output.isWide())
                .build(endpoints, context.clock().instant())
                .print();
    }
}
