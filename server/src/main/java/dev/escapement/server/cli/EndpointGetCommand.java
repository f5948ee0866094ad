package dev.escapement.server.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.server.cli.api.ApiClient;
import dev.escapement.server.cli.api.Listing;
import dev.escapement.server.cli.api.Resource;
import dev.escapement.server.cli.view.EndpointTable;
import dev.escapement.server.cli.view.EndpointView;
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
@ExitsWith({ExitCodes.OK, ExitCodes.NOT_FOUND})
final class EndpointGetCommand extends ClientCommand {

    /** Which endpoints. */
    enum State {
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
    private Optional<State> state = Optional.empty();

    @Mixin
    private final Amount amount = new Amount();

    @Mixin
    private final Output output = new Output();

    EndpointGetCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    int ask(ApiClient api) {
        if (name.isPresent()) {
            JsonNode one = api.get(Resource.of("endpoints", name.get()));
            if (!output.print(one, new EndpointView(one).name(), terminal)) {
                print(List.of(new EndpointView(one)));
            }
            return ExitCodes.OK;
        }
        Resource wanted = Resource.of("endpoints")
                .with("state", state.map(given -> given.name().toLowerCase(Locale.ROOT)));
        Listing listing = Listing.of(api, wanted, amount.limit());
        List<EndpointView> endpoints =
                listing.items().stream().map(EndpointView::new).toList();
        if (output.isNames()) {
            endpoints.forEach(endpoint -> output.print(endpoint.document(), endpoint.name(), terminal));
        } else if (!output.print(listing.document(), "", terminal)) {
            print(endpoints);
        }
        amount.sayIfMore(listing, terminal);
        return ExitCodes.OK;
    }

    private void print(List<EndpointView> endpoints) {
        if (endpoints.isEmpty()) {
            terminal.err()
                    .println(
                            state.isPresent()
                                    ? "no endpoints like that"
                                    : "no endpoints yet: escapement endpoint add NAME URL --every 5m");
            return;
        }
        new EndpointTable(terminal, output.isWide())
                .of(endpoints, surroundings.clock().instant())
                .print();
    }
}
