package dev.escapement.cli.command.endpoint;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.cli.CommandContext;
import dev.escapement.cli.DocumentedExitCodes;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.client.ApiPath;
import dev.escapement.cli.client.ResourceList;
import dev.escapement.cli.command.ClientCommand;
import dev.escapement.cli.option.OutputOption;
import dev.escapement.cli.output.EndpointRunDescriber;
import dev.escapement.cli.output.EndpointRunJsonView;
import dev.escapement.cli.output.EndpointRunTable;
import dev.escapement.cli.output.terminal.Table;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows what endpoints did. */
@Command(
        name = "runs",
        sortOptions = false,
        description = {
            "Shows the runs of endpoints, the newest first; or all about one: why it ran then, what came back.",
            "",
            "With -f it goes on and adds a row for every run that ends, the newest at the bottom.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  escapement runs",
            "  escapement runs --endpoint health --failed -n 5",
            "  escapement runs -f",
            "  escapement runs --endpoint health -o json | jq '.items[].latenessMillis'"
        })
@DocumentedExitCodes({ExitCodes.OK, ExitCodes.NOT_FOUND})
public final class RunsCommand extends ClientCommand {

    @Parameters(arity = "0..1", paramLabel = "ID", description = "Only this run, with all about it.")
    private Optional<String> id = Optional.empty();

    @Option(
            names = "--endpoint",
            paramLabel = "NAME",
            description = "Only those of this endpoint: its name, or its id.")
    private Optional<String> endpoint = Optional.empty();

    @ArgGroup
    private OutcomeFilter outcomeFilter = new OutcomeFilter();

    /** One of them. */
    static final class OutcomeFilter {
        @Option(names = "--failed", required = true, description = "Only those that failed.")
        private boolean failed;

        @Option(names = "--succeeded", required = true, description = "Only those that went well.")
        private boolean succeeded;

        Optional<String> queryValue() {
            return failed ? Optional.of("failed") : succeeded ? Optional.of("succeeded") : Optional.empty();
        }
    }

    @Option(
            names = {"-n", "--limit"},
            paramLabel = "N",
            defaultValue = "20",
            description = "The last so many. Default: ${DEFAULT-VALUE}")
    private int limit;

    @Option(
            names = {"-f", "--follow"},
            description = "Go on with what runs, until Ctrl-C.")
    private boolean follow;

    @Mixin
    private final OutputOption output = new OutputOption();

    /** As wide as the rows that were printed first. */
    private List<Integer> widths = List.of();

    RunsCommand(CommandContext surroundings) {
        super(surroundings);
    }

    @Override
    protected int execute(ApiClient api) {
        if (limit < 1) {
            throw new IllegalArgumentException("-n %d: it must be at least 1".formatted(limit));
        }
        if (id.isPresent()) {
            printOne(api.get(ApiPath.of("runs", id.get())));
        } else if (follow) {
            new EndpointRunFeed(api, listPath(), context).follow(limit, this::printNewRuns);
        } else {
            printAll(ResourceList.fetch(api, listPath(), limit));
        }
        return ExitCodes.OK;
    }

    private void printOne(JsonNode document) {
        EndpointRunJsonView run = new EndpointRunJsonView(document);
        if (!output.printIfMachineReadable(document, run.id(), terminal)) {
            new EndpointRunDescriber(terminal, context.clock().instant()).print(run);
        }
    }

    private void printAll(ResourceList listing) {
        List<EndpointRunJsonView> runs =
                listing.items().stream().map(EndpointRunJsonView::new).toList();
        if (output.isNamesOnly()) {
            runs.forEach(run -> output.printIfMachineReadable(run.document(), run.id(), terminal));
        } else if (!output.printIfMachineReadable(listing.toDocument(), "", terminal)) {
            if (runs.isEmpty()) {
                terminal.err().println("no runs" + (listPath().query().isEmpty() ? " yet" : " like that"));
            } else {
                new EndpointRunTable(terminal, output.isWide())
                        .build(runs, context.clock().instant())
                        .print();
            }
        }
    }

    /** Below the titles, as wide as the first rows were. */
    private void printNewRuns(EndpointRunFeed.NewRuns news) {
        if (news.truncated()) {
            terminal.err().println("more runs ended than are shown here: --endpoint NAME or --failed makes them fewer");
        }
        if (!output.isHumanReadable()) {
            news.runs().forEach(run -> output.printIfMachineReadable(run.document(), run.id(), terminal));
            return;
        }
        Table table = new EndpointRunTable(terminal, output.isWide())
                .build(news.runs(), context.clock().instant());
        if (widths.isEmpty()) {
            widths = table.widths();
            table.print();
        } else {
            table.printRows(widths);
        }
    }

    private ApiPath listPath() {
        return ApiPath.of("runs")
                .withParameter("endpoint", endpoint)
                .withParameter("outcome", outcomeFilter.queryValue());
    }
}
