package dev.escapement.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.client.ApiPath;
import dev.escapement.cli.client.ResourceList;
import dev.escapement.cli.option.LimitOption;
import dev.escapement.cli.output.terminal.Table;
import dev.escapement.cli.output.terminal.Terminal;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

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

    /** Creates a command; {@code viewName} returns the text for {@code -o name}. */
    protected ResourceCommand(Function<JsonNode, V> view, Function<V, String> viewName, TableBuilder<V> table) {
        this.view = view;
        this.viewName = viewName;
        this.table = table;
    }

    /** Prints one resource; without its path the list, as {@link #printList} does, and a note if that is cut. */
    protected final void printOneOrList(
            ApiClient api, Optional<ApiPath> one, ApiPath all, LimitOption limit, Optional<String> emptyMessage) {
        if (one.isPresent()) {
            printOne(api.get(one.get()));
            return;
        }
        ResourceList list = ResourceList.fetch(api, all, limit.limit());
        printList(list.items(), list.toDocument(), emptyMessage);
        limit.printIfTruncated(list, terminal);
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
