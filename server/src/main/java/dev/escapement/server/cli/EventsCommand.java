package dev.escapement.server.cli;

import dev.escapement.server.cli.api.ApiClient;
import dev.escapement.server.cli.api.EventFeed;
import dev.escapement.server.cli.api.ServerEvent;
import dev.escapement.server.cli.view.DocumentText;
import dev.escapement.server.cli.view.EventText;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Shows what happened, and what happens. */
@Command(
        name = "events",
        sortOptions = false,
        description = {
            "Shows the journal: everything that happened, each once, in order.",
            "",
            "With -f it goes on with what happens from now on.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  escapement events",
            "  escapement events -f",
            "  escapement events --all --target node/worker-node-1",
            "  escapement events --all --type WorkflowSkipped --json | jq -r .reason | sort | uniq -c"
        })
@ExitsWith({ExitCodes.OK})
final class EventsCommand extends ClientCommand {

    @Option(
            names = {"-f", "--follow"},
            description = "Go on with what happens, until Ctrl-C.")
    private boolean follow;

    @Option(names = "--execution", paramLabel = "NAME", description = "Only those about this execution.")
    private Optional<String> execution = Optional.empty();

    @Option(names = "--target", paramLabel = "TARGET", description = "Only those about this target.")
    private Optional<String> target = Optional.empty();

    @Option(names = "--type", paramLabel = "TYPE", description = "Only those of this type, such as WorkflowSkipped.")
    private Optional<String> type = Optional.empty();

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "50",
            description = {"Of what happened before, the last so many. Default: ${DEFAULT-VALUE}"})
    private int limit;

    @Option(names = "--all", description = "All that happened before.")
    private boolean all;

    @Option(names = "--json", description = "One JSON object per line.")
    private boolean json;

    EventsCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    int ask(ApiClient api) {
        if (limit < 0) {
            throw new IllegalArgumentException("--limit %d: it must not be negative".formatted(limit));
        }
        EventFeed feed = connection.events(api).after("");
        Deque<ServerEvent> last = new ArrayDeque<>();
        feed.past(event -> {
            if (isWanted(event)) {
                last.addLast(event);
            }
            if (all) {
                last.forEach(this::print);
                last.clear();
            } else if (last.size() > limit) {
                last.removeFirst();
            }
        });
        last.forEach(this::print);
        if (follow) {
            feed.follow(new EventFeed.Watcher() {
                @Override
                public boolean event(ServerEvent event) {
                    if (isWanted(event)) {
                        print(event);
                    }
                    return false;
                }

                @Override
                public void lost(Duration wait) {
                    terminal.err().println("escapement: the connection is lost and will be made again");
                }
            });
        }
        return ExitCodes.OK;
    }

    private boolean isWanted(ServerEvent event) {
        // Progress is not in the journal; whoever asks for it by name gets it.
        return type.map(event.type()::equalsIgnoreCase).orElse(!event.type().equals(ServerEvent.PROGRESS))
                && execution.map(event.text("/execution/name")::equals).orElse(true)
                && target.map(event.text("/target")::equals).orElse(true);
    }

    private void print(ServerEvent event) {
        if (json) {
            terminal.out().println(DocumentText.jsonLine(event.data(), terminal));
        } else {
            terminal.line(EventText.of(event));
        }
    }
}
