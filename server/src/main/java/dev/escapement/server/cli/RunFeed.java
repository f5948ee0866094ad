package dev.escapement.server.cli;

import dev.escapement.server.cli.api.ApiClient;
import dev.escapement.server.cli.api.ApiFailure;
import dev.escapement.server.cli.api.Listing;
import dev.escapement.server.cli.api.Resource;
import dev.escapement.server.cli.view.RunView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** Runs as they end, each once. It looks every second: thousands may end in one, and nobody reads them one by one. */
final class RunFeed {

    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);

    /** As many as a person can make out of a second. */
    private static final int AT_ONCE = 200;

    private static final int LOOKS_IN_VAIN = 60;

    private final ApiClient api;
    private final Resource runs;
    private final Surroundings surroundings;
    private Set<String> seen = new HashSet<>();

    /**
     * What is new.
     *
     * @param runs the oldest first
     * @param skipped whether there were more than these
     */
    record News(List<RunView> runs, boolean skipped) {}

    RunFeed(ApiClient api, Resource runs, Surroundings surroundings) {
        this.api = api;
        this.runs = runs;
        this.surroundings = surroundings;
    }

    /** Tells the last so many, and then goes on until the process ends or the server stays away for a minute. */
    void follow(int limit, Consumer<News> reader) {
        List<RunView> last = unseen(Listing.of(api, runs, Math.max(limit, AT_ONCE)));
        tell(reader, last.subList(Math.max(0, last.size() - limit), last.size()), false);
        int inVain = 0;
        while (pause()) {
            try {
                boolean first = seen.isEmpty();
                List<RunView> news = unseen(Listing.of(api, runs, AT_ONCE));
                inVain = 0;
                tell(reader, news, news.size() == AT_ONCE && !first);
            } catch (ApiFailure failure) {
                boolean passes = failure.is(ApiFailure.Kind.UNREACHABLE) || failure.is(ApiFailure.Kind.SERVER_ERROR);
                if (!passes || ++inVain >= LOOKS_IN_VAIN) {
                    throw failure;
                }
                if (inVain == 1) {
                    surroundings.terminal().err().println("escapement: the connection is lost and will be made again");
                }
            }
        }
    }

    private static void tell(Consumer<News> reader, List<RunView> news, boolean skipped) {
        if (!news.isEmpty()) {
            reader.accept(new News(news, skipped));
        }
    }

    /** Servers may write down in another order than runs ended in, so what was seen is known by its name. */
    private List<RunView> unseen(Listing listing) {
        List<RunView> news = new ArrayList<>();
        Set<String> now = new HashSet<>();
        listing.items().stream().map(RunView::new).forEach(run -> {
            now.add(run.id());
            if (!seen.contains(run.id())) {
                news.add(run);
            }
        });
        seen = now;
        Collections.reverse(news);
        return news;
    }

    private boolean pause() {
        try {
            surroundings.pause().of(BETWEEN_LOOKS);
            return true;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
