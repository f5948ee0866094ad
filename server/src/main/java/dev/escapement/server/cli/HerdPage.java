package dev.escapement.server.cli;

import dev.escapement.server.cli.text.Terminal;
import java.util.Collections;
import java.util.List;

/** A herd as one histogram per attempt. */
final class HerdPage {

    private static final String BLOCKS = " ▁▂▃▄▅▆▇█";
    private static final String ASCII = " .:-=+*#@";

    private final Terminal terminal;

    HerdPage(Terminal terminal) {
        this.terminal = terminal;
    }

    void print(Herd herd) {
        terminal.out()
                .printf(
                        "%n%,d callers fail at the same instant, and again each time they come back:%n%n",
                        herd.callers());
        terminal.out()
                .printf(
                        "%7s  %10s  %-" + Herd.SLICES + "s  %-10s  %s%n",
                        "attempt",
                        "first",
                        "",
                        "last",
                        "fullest second");
        for (Herd.Return back : herd.returns()) {
            terminal.out()
                    .printf(
                            "%7d  %10s  %s  %-10s  %,d (%.1f %%)%n",
                            back.attempt(),
                            LadderPage.text(back.first()),
                            histogram(back.slices()),
                            LadderPage.text(back.last()),
                            back.fullestSecond(),
                            100.0 * back.fullestSecond() / herd.callers());
        }
        terminal.out()
                .printf("%nWithout jitter all %,d would come back in the same second, every time.%n", herd.callers());
    }

    private String histogram(List<Integer> slices) {
        String marks = terminal.unicode() ? BLOCKS : ASCII;
        int fullest = Math.max(1, Collections.max(slices));
        StringBuilder line = new StringBuilder();
        for (int count : slices) {
            int level = (int) Math.ceil((double) count / fullest * (marks.length() - 1));
            line.append(marks.charAt(level));
        }
        return line.toString();
    }
}
