package dev.escapement.server.cli;

import dev.escapement.backoff.BackoffSettings;
import dev.escapement.backoff.DurationText;
import dev.escapement.backoff.Ladder;
import dev.escapement.backoff.Spread;
import dev.escapement.server.cli.text.Terminal;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import picocli.CommandLine.Help.Ansi;

/** A ladder as a table with a bar chart. */
final class LadderPage {

    private static final int BAR_WIDTH = 36;
    private static final String ROW = "%7s  %9s  %9s  %9s  %11s  %s";

    private final Terminal terminal;

    LadderPage(Terminal terminal) {
        this.terminal = terminal;
    }

    void print(BackoffSettings settings, Ladder ladder) {
        line(title(settings));
        line("");
        line(ROW.formatted("attempt", "nominal", "lowest", "highest", "cumulative", ""));
        long longest = Math.max(1, settings.max().toNanos());
        for (Ladder.Rung rung : ladder.rungs()) {
            line(ROW.formatted(
                    rung.attempt(),
                    text(rung.nominal()),
                    text(rung.lowest()),
                    text(rung.highest()),
                    text(rung.cumulative()),
                    bar(rung, longest)));
        }
        Ladder.Rung last = ladder.rung(ladder.rungs().size());
        line("");
        line("All together: " + text(last.cumulativeLowest()) + " to " + text(last.cumulativeHighest()) + ".");
    }

    private static String title(BackoffSettings settings) {
        String spread = switch (settings.spread()) {
            case PERCENT -> "±" + settings.jitterPercent() + " %";
            case FULL, EQUAL -> settings.spread().name().toLowerCase(Locale.ROOT) + " jitter";
        };
        String title = "Backoff %s → %s, ×%s, %s"
                .formatted(text(settings.base()), text(settings.max()), number(settings.multiplier()), spread);
        boolean herd = settings.spread() == Spread.PERCENT && settings.jitterPercent() == 0;
        return herd ? title + " (no jitter: whoever fails together comes back together)" : title;
    }

    private static String number(double value) {
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

    private void line(String text) {
        terminal.out().println(terminal.symbols(text).stripTrailing());
    }

    /** Three digits after the second are enough for a person. */
    static String text(Duration duration) {
        return DurationText.format(
                duration.compareTo(Duration.ofSeconds(1)) < 0 ? duration : duration.truncatedTo(ChronoUnit.MILLIS));
    }
}
