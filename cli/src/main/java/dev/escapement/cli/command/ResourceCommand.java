package dev.escapement.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.client.ApiPath;
import dev.escapement.cli.client.EventFeed.ServerEvent;
import dev.escapement.cli.client.ResourceList;
import dev.escapement.cli.option.ConnectionOptions;
import dev.escapement.cli.output.terminal.Table;
import dev.escapement.cli.output.terminal.Terminal;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import picocli.CommandLine.Option;

/**
 * Base of the commands that print resources in the format of {@code -o}: a table, documents, or names.
 *
 * @param <V> a view of one resource
 */
public abstract class ResourceCommand<V> extends DocumentCommand {

    private final Function<JsonNode, V> view;
    private final Function<V, String> viewName;
    private final TableBuilder<V> table;

    /** Column widths of the table printed last; empty before the first. */
    private List<Integer> widths = List.of();

    /** Builds a table of resources. */
    @FunctionalInterface
    public interface TableBuilder<V> {
        Table build(Terminal terminal, boolean wide, Instant now, List<V> rows);
    }

    /**
     * What to print.
     *
     * @param one path of a single resource; without it the list is printed
     * @param emptyMessage replaces an empty table, on standard error
     */
    public record Query(Optional<ApiPath> one, ApiPath list, Optional<String> emptyMessage) {}

    /** The options that limit the length of a list. */
    public static class LimitOptions {

        @Option(
                names = "--limit",
                paramLabel = "N",
                defaultValue = "50",
                description = "Show at most N. Default: ${DEFAULT-VALUE}")
        private int limit;

        @Option(names = "--all", description = "Show all.")
        private boolean all;

        private int limit() {
            if (limit < 1) {
                throw new IllegalArgumentException("--limit is %d: it must be at least 1".formatted(limit));
            }
            return all ? Integer.MAX_VALUE : limit;
        }
    }

    /** The options of a list that can be watched. */
    public static final class WatchOptions extends LimitOptions {
        @Option(
                names = {"-w", "--watch"},
                description = "Keep running and show every change, until Ctrl-C.")
        private boolean watch;
    }

    /** Creates a command; {@code viewName} returns the text for {@code -o name}. */
    protected ResourceCommand(Function<JsonNode, V> view, Function<V, String> viewName, TableBuilder<V> table) {
        this.view = view;
        this.viewName = viewName;
        this.table = table;
    }

    /** Prints the result of a query, and with {@code --watch} the resource of each event that {@code find} returns. */
    protected final void printAndWatch(
            ApiClient api, Query query, WatchOptions options, Function<ServerEvent, Optional<JsonNode>> find) {
        if (options.watch) {
            // Prints all after each connection, since events may have been missed.
            ConnectionOptions.createEventFeed(api, context)
                    .followForever(
                            () -> print(api, new Query(query.one, query.list, Optional.empty()), options),
                            event -> printChanged(event, find),
                            this::printConnectionLost);
        } else {
            print(api, query, options);
        }
    }

    private void printChanged(ServerEvent event, Function<ServerEvent, Optional<JsonNode>> find) {
        if (!event.type().equals(ServerEvent.PROGRESS)) {
            find.apply(event).ifPresent(changed -> printMore(List.of(changed)));
        }
    }

    protected final void print(ApiClient api, Query query, LimitOptions options) {
        if (query.one.isPresent()) {
            printOne(api.get(query.one.get()));
            return;
        }
        ResourceList list = ResourceList.fetch(api, query.list, options.limit());
        printList(list.items(), list.toDocument(), query.emptyMessage);
        if (list.hasMore()) {
            // Scripts count the lines of standard output.
            terminal.printError("showing the first %d; use --limit N or --all for more"
                    .formatted(list.items().size()));
        }
    }

    /** Prints one resource, as a table with titles. */
    protected final void printOne(JsonNode document) {
        if (!printDocument(document)) {
            printTable(List.of(document));
        }
    }

    /**
     * Prints a list.
     *
     * @param document what JSON and YAML show of it
     * @param emptyMessage replaces an empty table, on standard error
     */
    protected final void printList(List<JsonNode> items, JsonNode document, Optional<String> emptyMessage) {
        if (output.isNamesOnly()) {
            items.forEach(this::printDocument);
        } else if (!output.printIfMachineReadable(document, "", terminal)) {
            if (items.isEmpty() && emptyMessage.isPresent()) {
                terminal.printError(emptyMessage.get());
            } else {
                printTable(items);
            }
        }
    }

    /** Prints rows, if any, below the table printed before; prints titles too if there was none. */
    protected final void printMore(List<JsonNode> documents) {
        if (!output.isHumanReadable()) {
            documents.forEach(this::printDocument);
        } else if (!widths.isEmpty()) {
            buildTable(documents).printRows(widths);
        } else if (!documents.isEmpty()) {
            printTable(documents);
        }
    }

    private boolean printDocument(JsonNode document) {
        return output.printIfMachineReadable(document, viewName.apply(view.apply(document)), terminal);
    }

    private void printTable(List<JsonNode> documents) {
        Table built = buildTable(documents);
        widths = built.widths();
        built.print();
    }

    private Table buildTable(List<JsonNode> documents) {
        return table.build(
                terminal, output.isWide(), now(), documents.stream().map(view).toList());
    }
}
