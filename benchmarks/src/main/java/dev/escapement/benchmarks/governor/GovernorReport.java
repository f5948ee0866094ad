package dev.escapement.benchmarks.governor;

import static dev.escapement.benchmarks.governor.GovernorExperimentCatalog.COMPARABLE_INPUTS_ROW;
import static dev.escapement.benchmarks.governor.GovernorExperimentCatalog.LIST_THEN_FILTER_ROW;

import dev.escapement.benchmarks.governor.GovernorExperiment.Table;
import dev.escapement.benchmarks.jmh.MeasurementOutcome;
import dev.escapement.benchmarks.jmh.TimeRatio;
import dev.escapement.benchmarks.report.PerformanceTarget;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The costs of decisions and plans.
 *
 * @param findings in the order of the tables
 */
record GovernorReport(List<Finding> findings) {

    private static final double MILLION = 1e6;
    private static final double MILLIONS_PER_SECOND = 2;
    private static final double MAX_SLOWDOWN = 1.2;

    GovernorReport {
        findings = List.copyOf(findings);
    }

    /** An experiment and its result. */
    record Finding(GovernorExperiment experiment, MeasurementOutcome outcome) {

        boolean isIn(String row, String column) {
            return experiment.row().equals(row) && experiment.column().equals(column);
        }

        /** Returns NaN if it threw, which meets no target. */
        private double perSecond() {
            return 1e9 / outcome.nanos().orElse(Double.NaN);
        }

        private String format() {
            String rate = perSecond() < MILLION
                    ? String.format(Locale.ROOT, "%,.0f/s", perSecond())
                    : String.format(Locale.ROOT, "%.1f M/s", perSecond() / MILLION);
            return "%s  %s".formatted(rate, outcome.format());
        }
    }

    /** Formats calls per second, time and bytes. */
    String formatTable(Table table) {
        return Stream.concat(
                        Stream.of(formatLine("", labels(table, GovernorExperiment::column))),
                        labels(table, GovernorExperiment::row).stream()
                                .map(row -> formatLine(table, row, Finding::format)))
                .collect(Collectors.joining("\n"));
    }

    /**
     * Formats the dependency on the number of past executions: the cost of list-then-filter relative to the ledger, and
     * the slowest relative to the fastest of each row.
     */
    String formatComparison() {
        return Stream.concat(
                        Stream.of(formatLine(
                                Table.PAST,
                                LIST_THEN_FILTER_ROW,
                                finding -> "%s of the ledger".formatted(TimeRatio.format(ratioToOurs(finding))))),
                        labels(Table.PAST, GovernorExperiment::row).stream()
                                .map(row -> formatLine(
                                        row, List.of(TimeRatio.format(slowestToFastest(row)) + " slowest / fastest"))))
                .collect(Collectors.joining("\n"));
    }

    List<PerformanceTarget> targets() {
        return List.of(
                PerformanceTarget.atLeast(
                        MILLIONS_PER_SECOND,
                        minDecisionsPerSecond() / MILLION,
                        "at least 2 million decisions per second on one core, for every result",
                        "%.1f million for the slowest"),
                PerformanceTarget.atMost(
                        MAX_SLOWDOWN,
                        slowestToFastest(COMPARABLE_INPUTS_ROW),
                        "as fast with 1,000,000 past executions as with 10 (slowest / fastest at most " + MAX_SLOWDOWN
                                + ")",
                        "%.2f"));
    }

    private double minDecisionsPerSecond() {
        return findingsOf(Table.DECISIONS)
                .filter(finding -> GovernorExperimentCatalog.hasTarget(finding.experiment()))
                .mapToDouble(Finding::perSecond)
                .min()
                .orElse(Double.NaN);
    }

    private double slowestToFastest(String row) {
        return TimeRatio.slowestToFastest(findingsOf(Table.PAST)
                .filter(finding -> finding.experiment().row().equals(row))
                .map(Finding::outcome));
    }

    private double ratioToOurs(Finding theirs) {
        Finding ours = findingsOf(Table.PAST)
                .filter(finding ->
                        finding.isIn(COMPARABLE_INPUTS_ROW, theirs.experiment().column()))
                .findFirst()
                .orElseThrow();
        return ours.perSecond() / theirs.perSecond();
    }

    private String formatLine(Table table, String row, Function<Finding, String> text) {
        return formatLine(
                row,
                labels(table, GovernorExperiment::column).stream()
                        .map(column -> findingsOf(table)
                                .filter(finding -> finding.isIn(row, column))
                                .map(text)
                                .collect(Collectors.joining()))
                        .toList());
    }

    private static String formatLine(String label, List<String> cells) {
        return cells.stream()
                .map(cell -> String.format(Locale.ROOT, "%32s", cell))
                .collect(Collectors.joining("", String.format(Locale.ROOT, "%-32s", label), ""));
    }

    private List<String> labels(Table table, Function<GovernorExperiment, String> label) {
        return findingsOf(table).map(Finding::experiment).map(label).distinct().toList();
    }

    private Stream<Finding> findingsOf(Table table) {
        return findings.stream().filter(finding -> finding.experiment().table() == table);
    }
}
