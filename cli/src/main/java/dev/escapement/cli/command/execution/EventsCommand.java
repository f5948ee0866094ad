package dev.escapement.cli.command.execution;

import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.client.ClientJson;
import dev.escapement.cli.client.EventFeed;
import dev.escapement.cli.client.EventFeed.ServerEvent;
import dev.escapement.cli.command.ClientCommand;
import dev.escapement.cli.option.ConnectionOptions;
import dev.escapement.cli.output.DocumentFormatter;
import dev.escapement.cli.output.ExecutionView;
import dev.escapement.cli.output.terminal.TerminalText;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "events",
        description = {"Shows the journal: every event once, in order.", "", "With -f it keeps showing new events."},
        footer = {
            "  escapement events",
            "  escapement events -f",
            "  escapement events --all --target node/worker-node-1",
            "  escapement events --all --type WorkflowSkipped --json | jq -r .reason | sort | uniq -c"
        })
public final class EventsCommand extends ClientCommand {

    @Option(
            names = {"-f", "--follow"},
            description = "Keep showing new events until Ctrl-C.")
    private boolean follow;

    @Option(names = "--execution", paramLabel = "NAME", description = "Only events of this execution.")
    private Optional<String> execution = Optional.empty();

    @Option(names = "--target", paramLabel = "TARGET", description = "Only events of this target.")
    private Optional<String> target = Optional.empty();

    @Option(names = "--type", paramLabel = "TYPE", description = "Only events of this type, such as WorkflowSkipped.")
    private Optional<String> type = Optional.empty();

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "50",
            description = "Show the last N past events. Default: ${DEFAULT-VALUE}")
    private int limit;

    @Option(names = "--all", description = "Show all past events.")
    private boolean all;

    @Option(names = "--json", description = "Print one JSON object per line.")
    private boolean json;

    @Override
    protected int execute(ApiClient api) {
        if (limit < 0) {
            throw new IllegalArgumentException("--limit is %d: it must not be negative".formatted(limit));
        }
        EventFeed feed = ConnectionOptions.createEventFeed(api, context);
        Deque<ServerEvent> last = new ArrayDeque<>();
        feed.readHistory(event -> {
            if (matchesFilter(event)) {
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
            feed.followForever(() -> {}, this::printIfMatching, this::printConnectionLost);
        }
        return ExitCodes.OK;
    }

    private boolean matchesFilter(ServerEvent event) {
        // Progress is not in the journal; --type Progress shows it.
        return type.map(event.type()::equalsIgnoreCase).orElse(!event.type().equals(ServerEvent.PROGRESS))
                && execution.map(event.text("/execution/name")::equals).orElse(true)
                && target.map(event.text("/target")::equals).orElse(true);
    }

    private void printIfMatching(ServerEvent event) {
        if (matchesFilter(event)) {
            print(event);
        }
    }

    private void print(ServerEvent event) {
        if (json) {
            terminal.out().println(DocumentFormatter.toJsonLine(event.data(), terminal));
        } else {
            String time = ClientJson.instant(event.data(), "/at")
                    .map(at -> at.truncatedTo(ChronoUnit.SECONDS).toString())
                    .orElse("-");
            String type = TerminalText.singleLine(event.type());
            terminal.printLine("%-20s  %-21s  ".formatted(time, type) + TerminalText.singleLine(subjectText(event)));
        }
    }

    private static String subjectText(ServerEvent event) {
        String execution = ExecutionView.shortName(event.data().path("execution"));
        String target = event.text("/target");
        String reason = event.text("/reason");
        return (execution.isEmpty() ? "" : execution + " ")
                + (target.isEmpty() ? "" : "on " + target + ": ")
                + (reason.isEmpty() ? "" : reason + ": ")
                + event.text("/message");
    }
}
