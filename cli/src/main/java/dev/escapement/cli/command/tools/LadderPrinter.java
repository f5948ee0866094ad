package dev.escapement.cli.command.tools;

import dev.escapement.backoff.BackoffSettings;
import dev.escapement.backoff.DurationText;
import dev.escapement.backoff.Ladder;
import dev.escapement.backoff.Spread;
import dev.escapement.cli.output.terminal.Terminal;
import dev.escapement.cli.output.terminal.TerminalStyle;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** Prints a ladder as a table with a bar chart, and a simulated herd as one histogram per attempt. */
final class LadderPrinter {

    private static final int BAR_WIDTH = 36;
    private static final String ROW = "%7s  %9s  %9s  %9s  %11s  %s";
    private static final String WAVE = "%7s  %10s  %-" + HerdSimulation.SLICES + "s  %-10s  %s";
    private static final String UNICODE_LEVELS = " ▁▂▃▄▅▆▇█";
    private static final String ASCII_LEVELS = " .:-=+*#@";

    private final Terminal terminal;

    LadderPrinter(Terminal terminal) {
        this.terminal = terminal;
    }

    void print(BackoffSettings settings, Ladder ladder) {
        terminal.printLine(title(settings));
        terminal.printLine("");
        terminal.printLine(ROW.formatted("attempt", "nominal", "lowest", "highest", "cumulative", ""));
        long longest = Math.max(1, settings.max().toNanos());
        for (Ladder.Rung rung : ladder.rungs()) {
            terminal.printLine(ROW.formatted(
                    rung.attempt(),
                    formatDuration(rung.nominal()),
                    formatDuration(rung.lowest()),
                    formatDuration(rung.highest()),
                    formatDuration(rung.cumulative()),
                    bar(rung, longest)));
        }
        Ladder.Rung last = ladder.rung(ladder.rungs().size());
        terminal.printLine("");
        terminal.printLine("All together: " + formatDuration(last.cumulativeLowest()) + " to "
                + formatDuration(last.cumulativeHighest()) + ".");
    }

    void print(HerdSimulation herd) {
        PrintWriter out = terminal.out();
        out.printf("%n%,d callers fail at the same instant, and again at each retry:%n%n", herd.callers());
        out.println(WAVE.formatted("attempt", "first", "", "last", "fullest second"));
        for (HerdSimulation.RetryWave wave : herd.waves()) {
            double percent = 100.0 * wave.fullestSecond() / herd.callers();
            String fullest = "%,d (%.1f %%)".formatted(wave.fullestSecond(), percent);
            String first = formatDuration(wave.first());
            String last = formatDuration(wave.last());
            out.println(WAVE.formatted(wave.attempt(), first, histogram(wave.slices()), last, fullest));
        }
        out.printf("%nWithout jitter all %,d would retry in the same second, every time.%n", herd.callers());
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

    void printWhetherItFits(Ladder ladder, Duration budget) {
        String longest = DurationText.format(ladder.longestTotal());
        String answer = ladder.fitsWithin(budget) ? "fit" : "do not fit";
        terminal.out()
                .printf(
                        "%n%d waits take at most %s: they %s within %s.%n",
                        ladder.rungs().size(), longest, answer, DurationText.format(budget));
    }

    private static String title(BackoffSettings settings) {
        String spread = switch (settings.spread()) {
            case PERCENT -> "±" + settings.jitterPercent() + " %";
            case FULL, EQUAL -> settings.spread().name().toLowerCase(Locale.ROOT) + " jitter";
        };
        String title = "Backoff %s → %s, ×%s, %s"
                .formatted(
                        formatDuration(settings.base()),
                        formatDuration(settings.max()),
                        formatNumber(settings.multiplier()),
                        spread);
        boolean withoutJitter = settings.spread() == Spread.PERCENT && settings.jitterPercent() == 0;
        return withoutJitter ? title + " (no jitter: callers that fail together retry together)" : title;
    }

    private static String formatNumber(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
    }

    /** Draws a solid bar up to the shortest wait, and a light one from there to the longest. */
    private String bar(Ladder.Rung rung, long longest) {
        int solid = (int) Math.round((double) rung.lowest().toNanos() / longest * BAR_WIDTH);
        int all = (int) Math.round((double) rung.highest().toNanos() / longest * BAR_WIDTH);
        String bar = (terminal.unicode() ? "█" : "#").repeat(solid)
                + (terminal.unicode() ? "░" : ".").repeat(Math.max(all == 0 ? 0 : 1, all - solid));
        return terminal.styled(TerminalStyle.SUCCESS, bar);
    }

    /** Formats with at most three digits after the second. */
    private static String formatDuration(Duration duration) {
        return DurationText.format(
                duration.compareTo(Duration.ofSeconds(1)) < 0 ? duration : duration.truncatedTo(ChronoUnit.MILLIS));
    }
}
