package dev.escapement.benchmarks.backoff;

import dev.escapement.benchmarks.jmh.BenchmarkRun;
import dev.escapement.benchmarks.jmh.JmhRunner;
import dev.escapement.benchmarks.jmh.JmhRunner.Effort;
import dev.escapement.benchmarks.jmh.MeasurementOutcome;
import dev.escapement.benchmarks.report.PerformanceTarget;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** The command {@code benchmarks/backoff}. */
public final class BackoffMain {

    private static final int[] ATTEMPTS = {1, 5, 30, 1_000_000};
    private static final int BASE_ATTEMPT = 1;
    private static final int CAP_ATTEMPT = 5;
    private static final Path CHART = Path.of("docs", "images", "herd.svg");

    private BackoffMain() {}

    /** All results, for the JSON file. */
    record Results(
            List<String> machine,
            Effort effort,
            Map<BackoffContender, String> jars,
            List<BackoffMeasurement> cells,
            List<RetryDistribution> distributions,
            List<PerformanceTarget> targets) {}

    /** A cell of the table. */
    private record TableCell(BackoffContender contender, int attempt) {

        MeasurementOutcome measure(JmhRunner runner) throws InterruptedException {
            return runner.measureIfCallReturns(contender.trial(attempt), () -> contender.computeOnce(attempt));
        }
    }

    /** Argument: {@code --quick} or none. Exits with 1 if a target is missed. */
    public static void main(String[] args) throws IOException, InterruptedException {
        BenchmarkRun run = new BenchmarkRun("backoff", args);
        BackoffReport report =
                new BackoffReport(toMeasurements(run.measure(tableCells(), cell -> true, TableCell::measure)));
        run.out().printf("%nOne wait: median time, bytes allocated, and time relative to Escapement%n%n");
        run.out().printf("%s%n%n%s%n", report.formatTable(), report.formatNotes());
        run.printTargets(report.targets());

        List<RetryDistribution> ours =
                List.of(RetryDistribution.ours(BASE_ATTEMPT), RetryDistribution.ours(CAP_ATTEMPT));
        List<RetryDistribution> theirs = List.of(
                RetryDistribution.clampAfterJitter(BASE_ATTEMPT), RetryDistribution.clampAfterJitter(CAP_ATTEMPT));
        List<RetryDistribution> distributions = concat(ours, theirs);
        run.out()
                .printf(
                        Locale.ROOT,
                        "%n%,d callers fail at the same time: share in the fullest 1 %% of the window%n%n",
                        RetryDistribution.CALLERS);
        distributions.forEach(distribution -> run.out().println(distribution.formatLine()));
        run.out().println();
        List<PerformanceTarget> even =
                ours.stream().map(RetryDistribution::target).toList();
        run.printTargets(even);

        Files.writeString(
                CHART,
                RetryDistributionChart.draw(
                        RetryDistribution.ours(CAP_ATTEMPT), RetryDistribution.clampAfterJitter(CAP_ATTEMPT)));
        run.out().printf("%nWrote %s%n", CHART);
        List<PerformanceTarget> targets = concat(report.targets(), even);
        run.writeResultsAndExit(
                new Results(run.machine(), run.effort(), jars(), report.cells(), distributions, targets), targets);
    }

    /** Returns the cells by attempt, so that compared libraries are measured one after the other. */
    private static List<TableCell> tableCells() {
        List<TableCell> cells = new ArrayList<>();
        for (int attempt : ATTEMPTS) {
            Stream.of(BackoffContender.values()).forEach(contender -> cells.add(new TableCell(contender, attempt)));
        }
        return cells;
    }

    private static List<BackoffMeasurement> toMeasurements(Map<TableCell, MeasurementOutcome> outcomes) {
        return outcomes.entrySet().stream()
                .map(each -> new BackoffMeasurement(
                        each.getKey().contender(), each.getKey().attempt(), each.getValue()))
                .sorted(Comparator.comparing(BackoffMeasurement::contender))
                .toList();
    }

    private static <T> List<T> concat(List<T> some, List<T> others) {
        return Stream.concat(some.stream(), others.stream()).toList();
    }

    private static Map<BackoffContender, String> jars() {
        Map<BackoffContender, String> jars = new EnumMap<>(BackoffContender.class);
        BackoffContender.peers().forEach(peer -> jars.put(peer, peer.jar()));
        return jars;
    }
}
