package dev.escapement.cli.output.terminal;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Prints rows under titles. Each column is as wide as its widest cell; the last is cut at the terminal's width. */
public final class Table {

    private static final String COLUMN_GAP = "  ";
    private static final int MIN_LAST_COLUMN_WIDTH = 20;

    private final Terminal terminal;
    private final List<String> titles;
    private final List<List<Cell>> rows = new ArrayList<>();

    /**
     * A cell.
     *
     * @param text may come from a server: it is sanitised
     */
    public record Cell(String text, TerminalStyle style) {

        /** Shows an empty text as a dash, so that scripts can count columns. */
        public Cell {
            text = text.isBlank() ? "-" : TerminalText.singleLine(text);
        }

        /** Creates a cell in the colour of a phase, state or outcome. */
        public static Cell ofPhase(String phase) {
            return new Cell(phase, TerminalStyle.ofPhase(phase));
        }
    }

    public Table(Terminal terminal, String... titles) {
        this(terminal, List.of(titles));
    }

    Table(Terminal terminal, List<String> titles) {
        this.terminal = terminal;
        this.titles = titles;
    }

    /** Adds a row: for each title a {@link Cell} or a plain text. */
    public Table addRow(Object... cells) {
        if (cells.length != titles.size()) {
            throw new IllegalArgumentException("%d cells under %d titles".formatted(cells.length, titles.size()));
        }
        rows.add(Stream.of(cells)
                .map(cell -> cell instanceof Cell made ? made : new Cell(cell.toString(), TerminalStyle.PLAIN))
                .toList());
        return this;
    }

    public void print() {
        List<Integer> widths = widths();
        terminal.printLine(formatTitles(widths));
        printRows(widths);
    }

    /** Prints the rows without titles, aligned with a table that was printed before. */
    public void printRows(List<Integer> widths) {
        for (List<Cell> row : rows) {
            terminal.printLine(IntStream.range(0, row.size())
                    .mapToObj(i -> formatCell(row.get(i), i, widths))
                    .collect(Collectors.joining(COLUMN_GAP)));
        }
    }

    /** Returns the width of each column in characters. */
    public List<Integer> widths() {
        return IntStream.range(0, titles.size())
                .mapToObj(i -> Math.max(
                        length(titles.get(i)),
                        rows.stream()
                                .mapToInt(row -> length(displayText(row.get(i))))
                                .max()
                                .orElse(0)))
                .toList();
    }

    private String formatTitles(List<Integer> widths) {
        String line = IntStream.range(0, titles.size())
                .mapToObj(i -> titles.get(i) + padding(titles.get(i), widths.get(i)))
                .collect(Collectors.joining(COLUMN_GAP));
        return terminal.styled(TerminalStyle.BOLD, line.stripTrailing());
    }

    private String formatCell(Cell cell, int column, List<Integer> widths) {
        String text = displayText(cell);
        boolean last = column == widths.size() - 1;
        if (last && terminal.interactive()) {
            int before = widths.stream()
                    .limit(column)
                    .mapToInt(width -> width + COLUMN_GAP.length())
                    .sum();
            text = TerminalText.singleLine(text, Math.max(MIN_LAST_COLUMN_WIDTH, terminal.columns() - before));
        }
        return terminal.styled(cell.style(), text) + (last ? "" : padding(text, widths.get(column)));
    }

    private String displayText(Cell cell) {
        return terminal.replaceUnsupportedSymbols(cell.text());
    }

    private static String padding(String text, int width) {
        return " ".repeat(Math.max(0, width - length(text)));
    }

    private static int length(String text) {
        return text.codePointCount(0, text.length());
    }

    /**
     * The columns of a table of resources, in order.
     *
     * @param <T> what a row shows
     */
    public static final class Columns<T> {

        private final boolean wide;
        private final Map<String, Function<T, Object>> columns = new LinkedHashMap<>();

        /** Creates columns; {@code wide} includes those of {@link #addWide}. */
        public Columns(boolean wide) {
            this.wide = wide;
        }

        /** Adds a column; {@code cell} returns a text or a {@link Table.Cell}. */
        public Columns<T> add(String title, Function<T, Object> cell) {
            columns.put(title, cell);
            return this;
        }

        public Columns<T> addWide(String title, Function<T, Object> cell) {
            return wide ? add(title, cell) : this;
        }

        public Table build(Terminal terminal, List<T> rows) {
            Table table = new Table(terminal, List.copyOf(columns.keySet()));
            rows.forEach(row -> table.addRow(
                    columns.values().stream().map(cell -> cell.apply(row)).toArray()));
            return table;
        }
    }
}
