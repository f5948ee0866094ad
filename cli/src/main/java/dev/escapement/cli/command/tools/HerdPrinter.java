package dev.escapement.cli.command.tools;

import dev.escapement.cli.output.terminal.Terminal;
import java.util.Collections;
import java.util.List;

/** Prints a simulated herd as one histogram per attempt. */
final class HerdPrinter {

    private static final String UNICODE_LEVELS = " ▁▂▃▄▅▆▇█";
    private static final String ASCII_LEVELS = " .:-=+*#@";

    private final Terminal terminal;

    HerdPrinter(Terminal terminal) {
        this.terminal = terminal;
    }

    void print(HerdSimulation herd) {
        terminal.out().printf("%n%,d callers fail at the same instant, and again at each retry:%n%n", herd.callers());
        terminal.out()
                .printf(
                        "%7s  %10s  %-" + HerdSimulation.SLICES + "s  %-10s  %s%n",
                        "attempt",
                        "first",
                        "",
                        "last",
                        "fullest second");
        for (HerdSimulation.RetryWave wave : herd.waves()) {
            terminal.out()
                    .printf(
                            "%7d  %10s  %s  %-10s  %,d (%.1f %%)%n",
                            wave.attempt(),
                            LadderPrinter.formatDuration(wave.first()),
                            histogram(wave.slices()),
                            LadderPrinter.formatDuration(wave.last()),
                            wave.fullestSecond(),
                            100.0 * wave.fullestSecond() / herd.callers());
        }
        terminal.out().printf("%nWithout jitter all %,d would retry in the same second, every time.%n", herd.callers());
    }

    private String histogram(List<Integer> slices) {
        String levels = terminal.unicode() ? UNICODE_LEVELS : ASCII_LEVELS;
        int fullest = Math.max(1, Collections.max(slices));
        StringBuilder line = new StringBuilder();
        for (int count : slices) {
            int level = (int) Math.ceil((double) count / fullest * (levels.length() - 1));
            line.append(levels.charAt(level));
        }
        return line.toString();
    }
}
