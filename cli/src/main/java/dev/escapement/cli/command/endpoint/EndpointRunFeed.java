package dev.escapement.cli.command.endpoint;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.cli.CommandContext;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.client.ApiException;
import dev.escapement.cli.client.ApiPath;
import dev.escapement.cli.client.ResourceList;
import dev.escapement.cli.command.ClientCommand;
import dev.escapement.cli.output.EndpointRunView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** Polls for finished runs and delivers each once. Polls every second: thousands of runs may end in one. */
final class EndpointRunFeed {

    private static final Duration POLL_INTERVAL = Duration.ofSeconds(1);
    private static final int MAX_RUNS_PER_POLL = 200;
    private static final int MAX_FAILED_POLLS = 60;

    private final ApiClient api;
    private final ApiPath listPath;
    private final CommandContext context;
    private Set<String> seenIds = new HashSet<>();

    EndpointRunFeed(ApiClient api, ApiPath listPath, CommandContext context) {
        this.api = api;
        this.listPath = listPath;
        this.context = context;
    }

    /** Delivers the last {@code limit} runs, oldest first, then new ones until the server fails for a minute. */
    void follow(int limit, Consumer<List<JsonNode>> sink) {
        List<JsonNode> last = selectUnseen(ResourceList.fetch(api, listPath, Math.max(limit, MAX_RUNS_PER_POLL)));
        deliver(sink, last.subList(Math.max(0, last.size() - limit), last.size()));
        int failedPolls = 0;
        while (true) {
            context.sleeper().sleepOrFail(POLL_INTERVAL, "waiting for runs");
            try {
                boolean first = seenIds.isEmpty();
                List<JsonNode> unseen = selectUnseen(ResourceList.fetch(api, listPath, MAX_RUNS_PER_POLL));
                failedPolls = 0;
                if (unseen.size() == MAX_RUNS_PER_POLL && !first) {
                    context.terminal()
                            .printError("more runs ended than are shown; filter with --endpoint NAME or --failed");
                }
                deliver(sink, unseen);
            } catch (ApiException failure) {
                failedPolls++;
                if (!failure.isTransient() || failedPolls >= MAX_FAILED_POLLS) {
                    throw failure;
                }
                if (failedPolls == 1) {
                    ClientCommand.printConnectionLost(context.terminal());
                }
            }
        }
    }

    private static void deliver(Consumer<List<JsonNode>> sink, List<JsonNode> runs) {
        if (!runs.isEmpty()) {
            sink.accept(runs);
        }
    }

    /** Compares ids, not times: runs may be recorded in another order than they ended. */
    private List<JsonNode> selectUnseen(ResourceList list) {
        List<JsonNode> unseen = new ArrayList<>();
        Set<String> ids = new HashSet<>();
        for (JsonNode run : list.items()) {
            String id = EndpointRunView.of(run).id();
            ids.add(id);
            if (!seenIds.contains(id)) {
                unseen.add(run);
            }
        }
        seenIds = ids;
        Collections.reverse(unseen);
        return unseen;
    }
}
