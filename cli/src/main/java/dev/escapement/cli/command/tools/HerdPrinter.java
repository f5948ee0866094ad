package dev.escapement.cli.command.tools;

import dev.escapement.cli.output.terminal.Terminal;
import java.util.Collections;
import java.util.List;

/** A herd as one histogram per attempt. */
final class HerdPrinter {

    private static final String UNICODE_LEVELS = " ▁▂▃▄▅▆▇█";
    private static final String ASCII_LEVELS = " .:-=+*#@";

    private final Terminal terminal;

    HerdPrinter(Terminal terminal) {
        this.terminal = terminal;
    }

    void print(HerdSimulation herd) {
        terminal.out()
                .printf(
                        "%n%,d callers fail at the same instant, and again each time they come back:%n%n",
                        herd.callers());
        terminal.out()
                .printf(
                        "%7s  %10s  %-" + HerdSimulation.SLICES + "s  %-10s  %s%n",
                        "attempt",
                        "first",
                        "",
                        "last",
                        "fullest second");
        for (HerdSimulation.RetryWave back : herd.returns()) {
            terminal.out()
                    .printf(
                            "%7d  %10s  %s  %-10s  %,d (%.1f %%)%n",
                            back.attempt(),
                            LadderPrinter.formatDuration(back.first()),
                            histogram(back.slices()),
                            LadderPrinter.formatDuration(back.last()),
                            back.fullestSecond(),
                            100.0 * back.fullestSecond() / herd.callers());
        }
        terminal.out()
                .printf("%nWithout jitter all %,d would come back in the same second, every time.%n", herd.callers());
    }

    private String histogram(List<Integer> slices) {
        String marks = terminal.unicode() ? UNICODE_LEVELS : ASCII_LEVELS;
        int fullest = Math.max(1, Collections.max(slices));
        StringBuilder line = new StringBuilder();
        for (int count : slices) {
            int level = (int) Math.ceil((double) count / fullest * (marks.length() - 1));
            line.append(marks.charAt(level));
        }
        return line.toString();
    }
}
