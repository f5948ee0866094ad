package dev.escapement.cli.command.endpoint;

import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.client.ApiPath;
import dev.escapement.cli.client.ResourceList;
import dev.escapement.cli.command.DocumentCommand;
import dev.escapement.cli.command.ResourcePrinter;
import dev.escapement.cli.output.EndpointRunView;
import java.util.Optional;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "runs",
        description = {
            "Lists the runs of endpoints, newest first, or shows one with the reason for its time and its response.",
            "",
            "With -f it keeps running and adds a row for every run that ends, newest last."
        },
        footer = {
            "  escapement runs",
            "  escapement runs --endpoint health --failed -n 5",
            "  escapement runs -f",
            "  escapement runs --endpoint health -o json | jq '.items[].latenessMillis'"
        })
@ExitCodes.Documented(ExitCodes.NOT_FOUND)
public final class RunsCommand extends DocumentCommand {

    @Parameters(arity = "0..1", paramLabel = "ID", description = "Show only this run, with all details.")
    private Optional<String> id = Optional.empty();

    @Option(names = "--endpoint", paramLabel = "NAME", description = "Only runs of the endpoint with this name or id.")
    private Optional<String> endpoint = Optional.empty();

    @ArgGroup
    private OutcomeFilter outcomeFilter = new OutcomeFilter();

    /** At most one of these is given. */
    static final class OutcomeFilter {
        @Option(names = "--failed", required = true, description = "Only failed runs.")
        private boolean failed;

        @Option(names = "--succeeded", required = true, description = "Only successful runs.")
        private boolean succeeded;

        Optional<String> queryValue() {
            return failed ? Optional.of("failed") : succeeded ? Optional.of("succeeded") : Optional.empty();
        }
    }

    @Option(
            names = {"-n", "--limit"},
            paramLabel = "N",
            defaultValue = "20",
            description = "Show the last N. Default: ${DEFAULT-VALUE}")
    private int limit;

    @Option(
            names = {"-f", "--follow"},
            description = "Keep showing new runs until Ctrl-C.")
    private boolean follow;

    @Override
    protected int execute(ApiClient api) {
        if (limit < 1) {
            throw new IllegalArgumentException("-n is %d: it must be at least 1".formatted(limit));
        }
        var printer = new ResourcePrinter<>(
                context, output, EndpointRunView::of, EndpointRunView::id, EndpointRunView::buildTable);
        if (id.isPresent()) {
            EndpointRunView run = EndpointRunView.of(api.get(ApiPath.of("runs", id.get())));
            print(run.document(), run.id(), () -> run.print(terminal, now()));
        } else if (follow) {
            new EndpointRunFeed(api, listPath(), context).follow(limit, printer::printMore);
        } else {
            String emptyMessage = listPath().query().isEmpty() ? "no runs yet" : "no runs match";
            printer.printList(ResourceList.fetch(api, listPath(), limit), Optional.of(emptyMessage));
        }
        return ExitCodes.OK;
    }

    private ApiPath listPath() {
        return ApiPath.of("runs")
                .withParameter("endpoint", endpoint)
                .withParameter("outcome", outcomeFilter.queryValue());
    }
}
