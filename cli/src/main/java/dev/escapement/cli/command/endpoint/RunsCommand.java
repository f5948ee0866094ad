package dev.escapement.cli.command.endpoint;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.client.ApiException;
import dev.escapement.cli.client.ApiPath;
import dev.escapement.cli.client.ResourceList;
import dev.escapement.cli.command.ResourceCommand;
import dev.escapement.cli.output.EndpointRunView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
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
public final class RunsCommand extends ResourceCommand<EndpointRunView> {

    /** For {@code -f}. Thousands of runs may end in this time. */
    private static final Duration POLL_INTERVAL = Duration.ofSeconds(1);

    private static final int MAX_RUNS_PER_POLL = 200;
    private static final int MAX_FAILED_POLLS = 60;

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

    /** Ids of the runs that the last poll returned. */
    private Set<String> seenIds = new HashSet<>();

    RunsCommand() {
        super(EndpointRunView::of, EndpointRunView::id, EndpointRunView::buildTable);
    }

    @Override
    protected int execute(ApiClient api) {
        if (limit < 1) {
            throw new IllegalArgumentException("-n is %d: it must be at least 1".formatted(limit));
        }
        if (id.isPresent()) {
            EndpointRunView run = EndpointRunView.of(api.get(ApiPath.of("runs", id.get())));
            print(run.document(), run.id(), () -> run.print(terminal, now()));
        } else if (follow) {
            follow(api);
        } else {
            String emptyMessage = listPath().query().isEmpty() ? "no runs yet" : "no runs match";
            ResourceList list = ResourceList.fetch(api, listPath(), limit);
            printList(list.items(), list.toDocument(), Optional.of(emptyMessage));
        }
        return ExitCodes.OK;
    }

    private ApiPath listPath() {
        return ApiPath.of("runs")
                .withParameter("endpoint", endpoint)
                .withParameter("outcome", outcomeFilter.queryValue());
    }

    /** Prints the last runs, oldest first, then each new one once, until the server fails for a minute. */
    private void follow(ApiClient api) {
        List<JsonNode> last = fetchUnseen(api, Math.max(limit, MAX_RUNS_PER_POLL));
        printMore(last.subList(Math.max(0, last.size() - limit), last.size()));
        int failedPolls = 0;
        while (true) {
            context.sleeper().sleepOrFail(POLL_INTERVAL, "waiting for runs");
            try {
                boolean first = seenIds.isEmpty();
                List<JsonNode> unseen = fetchUnseen(api, MAX_RUNS_PER_POLL);
                failedPolls = 0;
                if (unseen.size() == MAX_RUNS_PER_POLL && !first) {
                    terminal.printError("more runs ended than are shown; filter with --endpoint NAME or --failed");
                }
                printMore(unseen);
            } catch (ApiException failure) {
                failedPolls++;
                if (!failure.isTransient() || failedPolls >= MAX_FAILED_POLLS) {
                    throw failure;
                }
                if (failedPolls == 1) {
                    printConnectionLost();
                }
            }
        }
    }

    /** Compares ids, not times: runs may be recorded in another order than they ended. */
    private List<JsonNode> fetchUnseen(ApiClient api, int max) {
        List<JsonNode> unseen = new ArrayList<>();
        Set<String> ids = new HashSet<>();
        for (JsonNode run : ResourceList.fetch(api, listPath(), max).items()) {
            String runId = EndpointRunView.of(run).id();
            ids.add(runId);
            if (!seenIds.contains(runId)) {
                unseen.add(run);
            }
        }
        seenIds = ids;
        Collections.reverse(unseen);
        return unseen;
    }
}
