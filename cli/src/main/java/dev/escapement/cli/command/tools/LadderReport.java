package dev.escapement.cli.command.tools;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.escapement.backoff.BackoffSettings;
import dev.escapement.backoff.DurationText;
import dev.escapement.backoff.Ladder;
import dev.escapement.backoff.Spread;
import dev.escapement.cli.output.terminal.Terminal;
import dev.escapement.cli.output.terminal.TerminalStyle;
import dev.escapement.common.Json;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What {@code ladder} shows: the waits as a table with a bar chart, a simulated herd as one histogram per attempt, and
 * whether the waits fit; or all of it as JSON.
 *
 * @param within the time that the waits should fit into
 */
record LadderReport(
        Terminal terminal,
        BackoffSettings settings,
        Ladder ladder,
        Optional<Duration> within,
        Optional<HerdSimulation> herd) {

    private static final int BAR_WIDTH = 36;
    private static final String ROW = "%7s  %9s  %9s  %9s  %11s  %s";
    private static final String WAVE = "%7s  %10s  %-" + HerdSimulation.SLICES + "s  %-10s  %s";
    private static final String UNICODE_LEVELS = " ▁▂▃▄▅▆▇█";
    private static final String ASCII_LEVELS = " .:-=+*#@";

    void print() {
        printLadder();
        herd.ifPresent(this::printHerd);
        within.ifPresent(this::printWhetherItFits);
    }

    private void printLadder() {
        terminal.printLine(title());
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

    private void printHerd(HerdSimulation simulated) {
        PrintWriter out = terminal.out();
        out.printf("%n%,d callers fail at the same instant, and again at each retry:%n%n", simulated.callers());
        out.println(WAVE.formatted("attempt", "first", "", "last", "fullest second"));
        for (HerdSimulation.RetryWave wave : simulated.waves()) {
            double percent = 100.0 * wave.fullestSecond() / simulated.callers();
            String fullest = "%,d (%.1f %%)".formatted(wave.fullestSecond(), percent);
            String first = formatDuration(wave.first());
            String last = formatDuration(wave.last());
            out.println(WAVE.formatted(wave.attempt(), first, histogram(wave.slices()), last, fullest));
        }
        out.printf("%nWithout jitter all %,d would retry in the same second, every time.%n", simulated.callers());
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

    private void printWhetherItFits(Duration budget) {
        String longest = DurationText.format(ladder.longestTotal());
        String answer = ladder.fitsWithin(budget) ? "fit" : "do not fit";
        terminal.out()
                .printf(
                        "%n%d waits take at most %s: they %s within %s.%n",
                        ladder.rungs().size(), longest, answer, DurationText.format(budget));
    }

    private String title() {
        String spread = switch (settings.spread()) {
            case PERCENT -> "±" + settings.jitterPercent() + " %";
            case FULL, EQUAL -> spreadName() + " jitter";
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

    private String spreadName() {
        return settings.spread().name().toLowerCase(Locale.ROOT);
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

    /** Returns everything as JSON. Times are seconds, as exact decimals. */
    ObjectNode toDocument() {
        ObjectNode root = Json.mapper().createObjectNode();
        root.put("baseSeconds", seconds(settings.base()));
        root.put("maxSeconds", seconds(settings.max()));
        root.put("multiplier", settings.multiplier());
        root.put("jitterPercent", settings.jitterPercent());
        if (settings.maxExponent() != BackoffSettings.NO_MAX_EXPONENT) {
            root.put("maxExponent", settings.maxExponent());
        }
        root.put("spread", spreadName());
        ArrayNode rungs = root.putArray("rungs");
        for (Ladder.Rung rung : ladder.rungs()) {
            rungs.addObject()
                    .put("attempt", rung.attempt())
                    .put("nominalSeconds", seconds(rung.nominal()))
                    .put("lowestSeconds", seconds(rung.lowest()))
                    .put("highestSeconds", seconds(rung.highest()))
                    .put("cumulativeSeconds", seconds(rung.cumulative()))
                    .put("cumulativeLowestSeconds", seconds(rung.cumulativeLowest()))
                    .put("cumulativeHighestSeconds", seconds(rung.cumulativeHighest()));
        }
        within.ifPresent(budget ->
                root.putObject("within").put("budgetSeconds", seconds(budget)).put("fits", ladder.fitsWithin(budget)));
        herd.ifPresent(simulated -> addHerd(simulated, root.putObject("simulation")));
        return root;
    }

    private static void addHerd(HerdSimulation simulated, ObjectNode to) {
        ArrayNode waves = to.put("callers", simulated.callers()).putArray("returns");
        for (HerdSimulation.RetryWave wave : simulated.waves()) {
            ObjectNode row = waves.addObject()
                    .put("attempt", wave.attempt())
                    .put("firstSeconds", seconds(wave.first()))
                    .put("lastSeconds", seconds(wave.last()))
                    .put("fullestSecond", wave.fullestSecond());
            wave.slices().forEach(row.putArray("slices")::add);
        }
    }

    private static BigDecimal seconds(Duration duration) {
        BigDecimal seconds = BigDecimal.valueOf(duration.getSeconds())
                .add(BigDecimal.valueOf(duration.getNano(), 9))
                .stripTrailingZeros();
        // 10m is 600, not 6E+2.
        return seconds.scale() < 0 ? seconds.setScale(0) : seconds;
    }
}
