package dev.escapement.server.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.server.cli.api.ApiClient;
import dev.escapement.server.cli.api.Listing;
import dev.escapement.server.cli.api.Resource;
import dev.escapement.server.cli.text.Table;
import dev.escapement.server.cli.view.RunPage;
import dev.escapement.server.cli.view.RunTable;
import dev.escapement.server.cli.view.RunView;
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
@ExitsWith({ExitCodes.OK, ExitCodes.NOT_FOUND})
final class RunsCommand extends ClientCommand {

    @Parameters(arity = "0..1", paramLabel = "ID", description = "Only this run, with all about it.")
    private Optional<String> id = Optional.empty();

    @Option(
            names = "--endpoint",
            paramLabel = "NAME",
            description = "Only those of this endpoint: its name, or its id.")
    private Optional<String> endpoint = Optional.empty();

    @ArgGroup
    private Outcome outcome = new Outcome();

    /** One of them. */
    static final class Outcome {
        @Option(names = "--failed", required = true, description = "Only those that failed.")
        private boolean failed;

        @Option(names = "--succeeded", required = true, description = "Only those that went well.")
        private boolean succeeded;

        Optional<String> word() {
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
    private final Output output = new Output();

    /** As wide as the rows that were printed first. */
    private List<Integer> widths = List.of();

    RunsCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    int ask(ApiClient api) {
        if (limit < 1) {
            throw new IllegalArgumentException("-n %d: it must be at least 1".formatted(limit));
        }
        if (id.isPresent()) {
            printOne(api.get(Resource.of("runs", id.get())));
        } else if (follow) {
            new RunFeed(api, filter(), surroundings).follow(limit, this::add);
        } else {
            printAll(Listing.of(api, filter(), limit));
        }
        return ExitCodes.OK;
    }

    private void printOne(JsonNode document) {
        RunView run = new RunView(document);
        if (!output.print(document, run.id(), terminal)) {
            new RunPage(terminal, surroundings.clock().instant()).print(run);
        }
    }

    private void printAll(Listing listing) {
        List<RunView> runs = listing.items().stream().map(RunView::new).toList();
        if (output.isNames()) {
            runs.forEach(run -> output.print(run.document(), run.id(), terminal));
        } else if (!output.print(listing.document(), "", terminal)) {
            if (runs.isEmpty()) {
                terminal.err().println("no runs" + (filter().query().isEmpty() ? " yet" : " like that"));
            } else {
                new RunTable(terminal, output.isWide())
                        .of(runs, surroundings.clock().instant())
                        .print();
            }
        }
    }

    /** Below the titles, as wide as the first rows were. */
    private void add(RunFeed.News news) {
        if (news.skipped()) {
            terminal.err().println("more runs ended than are shown here: --endpoint NAME or --failed makes them fewer");
        }
        if (!output.isForPeople()) {
            news.runs().forEach(run -> output.print(run.document(), run.id(), terminal));
            return;
        }
        Table table = new RunTable(terminal, output.isWide())
                .of(news.runs(), surroundings.clock().instant());
        if (widths.isEmpty()) {
            widths = table.widths();
            table.print();
        } else {
            table.printRows(widths);
        }
    }

    private Resource filter() {
        return Resource.of("runs").with("endpoint", endpoint).with("outcome", outcome.word());
    }
}
