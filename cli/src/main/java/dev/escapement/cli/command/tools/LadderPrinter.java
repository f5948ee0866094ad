package dev.escapement.cli.command.tools;

import dev.escapement.backoff.BackoffSettings;
import dev.escapement.backoff.DurationText;
import dev.escapement.backoff.Ladder;
import dev.escapement.backoff.Spread;
import dev.escapement.cli.output.terminal.Terminal;
import dev.escapement.cli.output.terminal.TerminalStyle;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/** Prints a ladder as a table with a bar chart. */
final class LadderPrinter {

    private static final int BAR_WIDTH = 36;
    private static final String ROW = "%7s  %9s  %9s  %9s  %11s  %s";

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
    static String formatDuration(Duration duration) {
        return DurationText.format(
                duration.compareTo(Duration.ofSeconds(1)) < 0 ? duration : duration.truncatedTo(ChronoUnit.MILLIS));
    }
}
