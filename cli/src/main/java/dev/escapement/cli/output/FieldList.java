package dev.escapement.cli.output;

import dev.escapement.cli.output.terminal.Terminal;
import dev.escapement.cli.output.terminal.TerminalStyle;
import dev.escapement.cli.output.terminal.TerminalText;
import java.util.ArrayList;
import java.util.List;

/** Prints names with values below each other, and sections of lines. Omits empty values and sections. */
public final class FieldList {

    private static final int NAME_WIDTH = 14;

    private final Terminal terminal;
    private final List<String> lines = new ArrayList<>();

    public FieldList(Terminal terminal) {
        this.terminal = terminal;
    }

    public FieldList add(String name, String value) {
        return add(name, value, TerminalStyle.PLAIN);
    }

    public FieldList add(String name, String value, TerminalStyle style) {
        if (!value.isBlank()) {
            String padding = " ".repeat(Math.max(1, NAME_WIDTH - name.length()));
            lines.add(name + ":" + padding + terminal.styled(style, TerminalText.singleLine(value)));
        }
        return this;
    }

    public FieldList addSection(String heading, List<String> content) {
        if (!content.isEmpty()) {
            lines.add("");
            lines.add(terminal.styled(TerminalStyle.BOLD, heading));
            content.forEach(line -> lines.add("  " + TerminalText.singleLine(line)));
        }
        return this;
    }

    public void print() {
        lines.forEach(terminal::printLine);
    }
}
