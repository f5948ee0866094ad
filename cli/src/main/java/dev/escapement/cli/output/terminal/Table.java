package dev.escapement.cli.output.terminal;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Rows under titles, each column as wide as its widest cell; the last one is cut where a person's terminal ends. */
public final class Table {

    private static final String COLUMN_GAP = "  ";

    /** Even a narrow terminal shows this much of the last column. */
    private static final int MIN_LAST_COLUMN_WIDTH = 20;

    private final Terminal terminal;
    private final List<String> titles;
    private final List<List<Cell>> rows = new ArrayList<>();

    /**
     * One cell.
     *
     * @param text on one line, of any origin
     * @param style how it is shown
     */
    public record Cell(String text, TerminalStyle style) {

        /** Made printable; nothing is shown as a dash, so that columns can be counted. */
        public Cell {
            text = text.isBlank() ? "-" : TerminalText.singleLine(text);
        }

        /** A cell in the tone of what it says. */
        public static Cell ofPhase(String phase) {
            return new Cell(phase, TerminalStyle.ofPhase(phase));
        }
    }

    public Table(Terminal terminal, String... titles) {
        this.terminal = terminal;
        this.titles = List.of(titles);
    }

    /** A row of plain texts; those that are cells already stay as they are. */
    public Table addRow(Object... cells) {
        if (cells.length != titles.size()) {
            throw new IllegalArgumentException("%d cells under %d titles".formatted(cells.length, titles.size()));
        }
        rows.add(IntStream.range(0, cells.length)
                .mapToObj(
                        i -> cells[i] instanceof Cell cell ? cell : new Cell(cells[i].toString(), TerminalStyle.PLAIN))
                .toList());
        return this;
    }

    /** Prints the titles and all rows. */
    public void print() {
        List<Integer> widths = widths();
        terminal.printLine(formatTitles(widths));
        printRows(widths);
    }

    /** Prints the rows below a table that was printed before, as wide as its columns if they fit. */
    public void printRows(List<Integer> widths) {
        for (List<Cell> row : rows) {
            terminal.printLine(IntStream.range(0, row.size())
                    .mapToObj(i -> formatCell(row.get(i), i, widths))
                    .collect(Collectors.joining(COLUMN_GAP)));
        }
    }

    /** How wide each column is. */
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
                .mapToObj(i -> pad(titles.get(i), i, widths))
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
        String padding = last ? "" : " ".repeat(Math.max(0, widths.get(column) - length(text)));
        return terminal.styled(cell.style(), text) + padding;
    }

    private String displayText(Cell cell) {
        return terminal.replaceUnsupportedSymbols(cell.text());
    }

    private static String pad(String text, int column, List<Integer> widths) {
        return text + " ".repeat(Math.max(0, widths.get(column) - length(text)));
    }

    private static int length(String text) {
        return text.codePointCount(0, text.length());
    }
}
