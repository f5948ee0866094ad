package dev.escapement.cli.command.tools;

import dev.escapement.backoff.BackoffSettings;
import dev.escapement.backoff.DurationText;
import dev.escapement.backoff.Ladder;
import dev.escapement.backoff.Spread;
import dev.escapement.cli.output.terminal.Terminal;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import picocli.CommandLine.Help.Ansi;

/** A ladder as a table with a bar chart. */
final class LadderPrinter {

    private static final int BAR_WIDTH = 36;
    private static final String ROW = "%7s  %9s  %9s  %9s  %11s  %s";

    private final Terminal terminal;

    LadderPrinter(Terminal terminal) {
        this.terminal = terminal;
    }

    void print(BackoffSettings settings, Ladder ladder) {
        printLine(title(settings));
        printLine("");
        printLine(ROW.formatted("attempt", "nominal", "lowest", "highest", "cumulative", ""));
        long longest = Math.max(1, settings.max().toNanos());
        for (Ladder.Rung rung : ladder.rungs()) {
            printLine(ROW.formatted(
                    rung.attempt(),
                    formatDuration(rung.nominal()),
                    formatDuration(rung.lowest()),
                    formatDuration(rung.highest()),
                    formatDuration(rung.cumulative()),
                    bar(rung, longest)));
        }
        Ladder.Rung last = ladder.rung(ladder.rungs().size());
        printLine("");
        printLine("All together: " + formatDuration(last.cumulativeLowest()) + " to "
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
        boolean herd = settings.spread() == Spread.PERCENT && settings.jitterPercent() == 0;
        return herd ? title + " (no jitter: whoever fails together comes back together)" : title;
    }

    private static String formatNumber(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
    }

    /** Solid up to the shortest wait, light from there to the longest: the light part is where the draws fall. */
    private String bar(Ladder.Rung rung, long longest) {
        int solid = (int) Math.round((double) rung.lowest().toNanos() / longest * BAR_WIDTH);
        int all = (int) Math.round((double) rung.highest().toNanos() / longest * BAR_WIDTH);
        String bar = (terminal.unicode() ? "█" : "#").repeat(solid)
                + (terminal.unicode() ? "░" : ".").repeat(Math.max(all == 0 ? 0 : 1, all - solid));
        return terminal.colour() ? Ansi.ON.string("@|green " + bar + "|@") : bar;
    }

    private void printLine(String text) {
        terminal.out().println(terminal.replaceUnsupportedSymbols(text).stripTrailing());
    }

    /** Three digits after the second are enough for a person. */
    static String formatDuration(Duration duration) {
        return DurationText.format(
                duration.compareTo(Duration.ofSeconds(1)) < 0 ? duration : duration.truncatedTo(ChronoUnit.MILLIS));
    }
}
