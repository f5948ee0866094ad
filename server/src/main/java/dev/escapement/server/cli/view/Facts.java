package dev.escapement.server.cli.view;

import dev.escapement.server.cli.text.Printable;
import dev.escapement.server.cli.text.Terminal;
import dev.escapement.server.cli.text.Tone;
import java.util.ArrayList;
import java.util.List;

/** Names and values below each other. What has no value is left out. */
final class Facts {

    private static final int NAMES = 14;

    private final Terminal terminal;
    private final List<String> lines = new ArrayList<>();

    Facts(Terminal terminal) {
        this.terminal = terminal;
    }

    Facts add(String name, String value) {
        return add(name, value, Tone.PLAIN);
    }

    Facts add(String name, String value, Tone tone) {
        if (!value.isBlank()) {
            String padding = " ".repeat(Math.max(1, NAMES - name.length()));
            lines.add(name + ":" + padding + terminal.in(tone, Printable.line(value)));
        }
        return this;
    }

    /** A heading with lines below it, if there are any. */
    Facts section(String heading, List<String> content) {
        if (!content.isEmpty()) {
            lines.add("");
            lines.add(terminal.in(Tone.STRONG, heading));
            content.forEach(line -> lines.add("  " + Printable.line(line)));
        }
        return this;
    }

    void print() {
        lines.forEach(terminal::line);
    }
}
