package dev.escapement.cli.command.endpoint;

import dev.escapement.cli.CommandContext;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.client.ApiException;
import dev.escapement.cli.client.ApiPath;
import dev.escapement.cli.client.ResourceList;
import dev.escapement.cli.output.EndpointRunJsonView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** Runs as they end, each once. It looks every second: thousands may end in one, and nobody reads them one by one. */
final class EndpointRunFeed {

    private static final Duration POLL_INTERVAL = Duration.ofSeconds(1);

    /** As many as a person can make out of a second. */
    private static final int MAX_RUNS_PER_POLL = 200;

    private static final int MAX_FAILED_POLLS = 60;

    private final ApiClient api;
    private final ApiPath listPath;
    private final CommandContext context;
    private Set<String> seenIds = new HashSet<>();

    /**
     * What is new.
     *
     * @param runs the oldest first
     * @param truncated whether there were more than these
     */
    record NewRuns(List<EndpointRunJsonView> runs, boolean truncated) {}

    EndpointRunFeed(ApiClient api, ApiPath runs, CommandContext surroundings) {
        this.api = api;
        this.listPath = runs;
        this.context = surroundings;
    }

    /** Tells the last so many, and then goes on until the process ends or the server stays away for a minute. */
    void follow(int limit, Consumer<NewRuns> reader) {
        List<EndpointRunJsonView> last =
                selectUnseen(ResourceList.fetch(api, listPath, Math.max(limit, MAX_RUNS_PER_POLL)));
        deliver(reader, last.subList(Math.max(0, last.size() - limit), last.size()), false);
        int inVain = 0;
        while (sleepUntilNextPoll()) {
            try {
                boolean first = seenIds.isEmpty();
                List<EndpointRunJsonView> news = selectUnseen(ResourceList.fetch(api, listPath, MAX_RUNS_PER_POLL));
                inVain = 0;
                deliver(reader, news, news.size() == MAX_RUNS_PER_POLL && !first);
            } catch (ApiException failure) {
                boolean passes =
                        failure.is(ApiException.Kind.UNREACHABLE) || failure.is(ApiException.Kind.SERVER_ERROR);
                if (!passes || ++inVain >= MAX_FAILED_POLLS) {
                    throw failure;
                }
                if (inVain == 1) {
                    context.terminal().err().println("escapement: the connection is lost and will be made again");
                }
            }
        }
    }

    private static void deliver(Consumer<NewRuns> reader, List<EndpointRunJsonView> news, boolean skipped) {
        if (!news.isEmpty()) {
            reader.accept(new NewRuns(news, skipped));
        }
    }

    /** Servers may write down in another order than runs ended in, so what was seen is known by its name. */
    private List<EndpointRunJsonView> selectUnseen(ResourceList listing) {
        List<EndpointRunJsonView> news = new ArrayList<>();
        Set<String> now = new HashSet<>();
        listing.items().stream().map(EndpointRunJsonView::new).forEach(run -> {
            now.add(run.id());
            if (!seenIds.contains(run.id())) {
                news.add(run);
            }
        });
        seenIds = now;
        Collections.reverse(news);
        return news;
    }

    private boolean sleepUntilNextPoll() {
        try {
            context.sleeper().sleep(POLL_INTERVAL);
            return true;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
