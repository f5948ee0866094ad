package dev.escapement.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.cli.CommandContext;
import dev.escapement.cli.client.ResourceList;
import dev.escapement.cli.option.OutputOption;
import dev.escapement.cli.output.terminal.Table;
import dev.escapement.cli.output.terminal.Terminal;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Prints resources in the format of {@code -o}: a table, documents, or names.
 *
 * @param <V> a view of one resource
 */
public final class ResourcePrinter<V> {

    private final CommandContext context;
    private final OutputOption output;
    private final Function<JsonNode, V> view;
    private final Function<V, String> name;
    private final TableBuilder<V> table;

    /** Column widths of the table printed last; empty before the first. */
    private List<Integer> widths = List.of();

    /** Builds a table of resources. */
    @FunctionalInterface
    public interface TableBuilder<V> {
        Table build(Terminal terminal, boolean wide, Instant now, List<V> rows);
    }

    /** Creates a printer; {@code name} returns the text for {@code -o name}. */
    public ResourcePrinter(
            CommandContext context,
            OutputOption output,
            Function<JsonNode, V> view,
            Function<V, String> name,
            TableBuilder<V> table) {
        this.context = context;
        this.output = output;
        this.view = view;
        this.name = name;
        this.table = table;
    }

    /** Prints one resource, as a table with titles. */
    public void printOne(JsonNode document) {
        if (!printDocument(document)) {
            printTable(List.of(document));
        }
    }

    /** Prints a list; an empty table is replaced by the message, if there is one, on standard error. */
    public void printList(ResourceList list, Optional<String> emptyMessage) {
        printList(list.items(), list.toDocument(), emptyMessage);
    }

    /** Prints a list; {@code document} is what JSON and YAML show of it. */
    public void printList(List<JsonNode> items, JsonNode document, Optional<String> emptyMessage) {
        if (output.isNamesOnly()) {
            items.forEach(this::printDocument);
        } else if (!output.printIfMachineReadable(document, "", context.terminal())) {
            if (items.isEmpty() && emptyMessage.isPresent()) {
                context.terminal().printError(emptyMessage.get());
            } else {
                printTable(items);
            }
        }
    }

    /** Prints rows below the table printed before; prints titles too if there was none. */
    public void printMore(List<JsonNode> documents) {
        if (!output.isHumanReadable()) {
            documents.forEach(this::printDocument);
        } else if (widths.isEmpty()) {
            printTable(documents);
        } else {
            buildTable(documents).printRows(widths);
        }
    }

    private boolean printDocument(JsonNode document) {
        return output.printIfMachineReadable(document, name.apply(view.apply(document)), context.terminal());
    }

    private void printTable(List<JsonNode> documents) {
        Table built = buildTable(documents);
        widths = built.widths();
        built.print();
    }

    private Table buildTable(List<JsonNode> documents) {
        List<V> rows = documents.stream().map(view).toList();
        return table.build(context.terminal(), output.isWide(), context.clock().instant(), rows);
    }
}
