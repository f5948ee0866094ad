package dev.escapement.benchmarks.governor;

import dev.escapement.benchmarks.governor.GovernorExperiment.Table;
import dev.escapement.benchmarks.governor.GovernorReport.Finding;
import dev.escapement.benchmarks.jmh.BenchmarkRun;
import dev.escapement.benchmarks.jmh.JmhRunner.Effort;
import dev.escapement.benchmarks.report.PerformanceTarget;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/** The command {@code benchmarks/governor}. */
public final class GovernorMain {

    private static final String NOTES =
            String.format(Locale.ROOT, """
            All executions were simulated with the transitions of the ledger, over the same %,d targets with %d workflows
            each; idle entries were removed.
              the same requests       equally many of each situation, on one target each, whose entry has as many
                                      workflows as in the smallest system.
              random requests         on any target, without a performance target: after 10 executions hardly any target
                                      has an entry; later many have one, some with several workflows, which the gate
                                      searches.
              list-then-filter        the same requests, decided by the same rules from a list of all executions in
                                      memory.
            """, HistoryGenerator.TARGETS, HistoryGenerator.WORKFLOWS);

    private GovernorMain() {}

    /** All results, for the JSON file. */
    record Results(List<String> machine, Effort effort, List<Finding> findings, List<PerformanceTarget> targets) {}

    /** Argument: {@code --quick} or none. Exits with 1 if a target is missed. */
    public static void main(String[] args) throws IOException, InterruptedException {
        BenchmarkRun run = new BenchmarkRun("governor", args);
        GovernorReport report = new GovernorReport(run
                .measure(
                        GovernorExperimentCatalog.all(),
                        GovernorExperimentCatalog::hasTarget,
                        GovernorExperiment::measure)
                .entrySet()
                .stream()
                .map(each -> new Finding(each.getKey(), each.getValue()))
                .toList());
        run.out().printf("%nOne decision of the gate: number per second on one core, median time, bytes%n%n");
        run.out().println(report.formatTable(Table.DECISIONS));
        run.out().printf("%nOne decision, by the number of past executions, entry looked up by target%n%n");
        run.out().println(report.formatTable(Table.PAST));
        run.out().printf("%n%s%n%n%s", report.formatComparison(), NOTES);
        run.out().printf("%nOne plan%n%n%s%n%n", report.formatTable(Table.PLANS));
        run.printTargets(report.targets());
        run.writeResultsAndExit(
                new Results(run.machine(), run.effort(), report.findings(), report.targets()), report.targets());
    }
}
