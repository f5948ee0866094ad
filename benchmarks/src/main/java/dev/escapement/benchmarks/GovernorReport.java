package dev.escapement.benchmarks;

import static dev.escapement.benchmarks.GovernorExperiments.ALIKE;
import static dev.escapement.benchmarks.GovernorExperiments.LIST;

import dev.escapement.benchmarks.Experiment.Table;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the governor costs.
 *
 * @param findings in the order of the tables
 */
record GovernorReport(List<Finding> findings) {

    private static final double MILLION = 1e6;
    private static final double MILLIONS_PER_SECOND = 2;
    private static final double FLAT = 1.2;

    GovernorReport {
        findings = List.copyOf(findings);
    }

    /** An experiment, and what came out of it. */
    record Finding(Experiment experiment, Outcome outcome) {

        boolean isIn(String row, String column) {
            return experiment.row().equals(row) && experiment.column().equals(column);
        }

        /** Not a number if it threw, which no target accepts. */
        private double perSecond() {
            return 1e9 / outcome.nanos().orElse(Double.NaN);
        }

        private String text() {
            String rate = perSecond() < MILLION
                    ? String.format(Locale.ROOT, "%,.0f/s", perSecond())
                    : String.format(Locale.ROOT, "%.1f M/s", perSecond() / MILLION);
            return "%s  %s".formatted(rate, outcome.text());
        }
    }

    /** Calls per second, time and bytes of each. */
    String table(Table table) {
        return Stream.concat(
                        Stream.of(line("", labels(table, Experiment::column))),
                        labels(table, Experiment::row).stream().map(row -> line(table, row, Finding::text)))
                .collect(Collectors.joining("\n"));
    }

    /**
     * How the cost goes with the past: a line with the peer in units of ours, and one for each with its own extremes.
     */
    String comparison() {
        return Stream.concat(
                        Stream.of(line(
                                Table.PAST, LIST, finding -> "%s of ours".formatted(Ratio.text(ratioToOurs(finding))))),
                        labels(Table.PAST, Experiment::row).stream()
                                .map(row ->
                                        line(row, List.of(Ratio.text(slowestToFastest(row)) + " slowest / fastest"))))
                .collect(Collectors.joining("\n"));
    }

    List<Target> targets() {
        return List.of(
                Target.atLeast(
                        MILLIONS_PER_SECOND,
                        slowestDecision() / MILLION,
                        "at least 2 million decisions per second on one core, whatever the answer",
                        "the slowest comes to %.1f million"),
                Target.atMost(
                        FLAT,
                        slowestToFastest(ALIKE),
                        "as fast with 1,000,000 past executions as with 10 (slowest / fastest at most " + FLAT + ")",
                        "%.2f"));
    }

    private double slowestDecision() {
        return of(Table.DECISIONS)
                .filter(finding -> GovernorExperiments.isJudged(finding.experiment()))
                .mapToDouble(Finding::perSecond)
                .min()
                .orElse(Double.NaN);
    }

    private double slowestToFastest(String row) {
        return Ratio.slowestToFastest(of(Table.PAST)
                .filter(finding -> finding.experiment().row().equals(row))
                .map(Finding::outcome));
    }

    private double ratioToOurs(Finding theirs) {
        Finding ours = of(Table.PAST)
                .filter(finding -> finding.isIn(ALIKE, theirs.experiment().column()))
                .findFirst()
                .orElseThrow();
        return ours.perSecond() / theirs.perSecond();
    }

    private String line(Table table, String row, Function<Finding, String> text) {
        return line(
                row,
                labels(table, Experiment::column).stream()
                        .map(column -> of(table)
                                .filter(finding -> finding.isIn(row, column))
                                .map(text)
                                .collect(Collectors.joining()))
                        .toList());
    }

    private static String line(String label, List<String> cells) {
        return cells.stream()
                .map(cell -> String.format(Locale.ROOT, "%32s", cell))
                .collect(Collectors.joining("", String.format(Locale.ROOT, "%-32s", label), ""));
    }

    private List<String> labels(Table table, Function<Experiment, String> label) {
        return of(table).map(Finding::experiment).map(label).distinct().toList();
    }

    private Stream<Finding> of(Table table) {
        return findings.stream().filter(finding -> finding.experiment().table() == table);
    }
}
