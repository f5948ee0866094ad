package dev.escapement.cli.output.terminal;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The columns of a table of resources, in order.
 *
 * @param <T> what a row shows
 */
public final class TableColumns<T> {

    private final boolean wide;
    private final Map<String, Function<T, Object>> columns = new LinkedHashMap<>();

    /** Creates columns; {@code wide} includes those of {@link #addWide}. */
    public TableColumns(boolean wide) {
        this.wide = wide;
    }

    /** Adds a column; {@code cell} returns a text or a {@link Table.Cell}. */
    public TableColumns<T> add(String title, Function<T, Object> cell) {
        columns.put(title, cell);
        return this;
    }

    public TableColumns<T> addWide(String title, Function<T, Object> cell) {
        return wide ? add(title, cell) : this;
    }

    public Table build(Terminal terminal, List<T> rows) {
        Table table = new Table(terminal, List.copyOf(columns.keySet()));
        rows.forEach(row -> table.addRow(
                columns.values().stream().map(cell -> cell.apply(row)).toArray()));
        return table;
    }
}
