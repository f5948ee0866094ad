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
            All executions were played, one by one, through the ledger's own transitions, over the same %,d targets with
            %d workflows each; entries that remember nothing were removed.
              the same questions      of each situation as many, on one target each that remembers as many workflows as
                                      in the smallest system.
              questions as they come  on any target, and not judged: after 10 executions hardly any target has an entry,
                                      later many have, some with several workflows, and the gate looks through them.
              list-then-filter        the same questions answered by the same rules from a list of all executions, which
                                      is in memory already.
            """, HistoryGenerator.TARGETS, HistoryGenerator.WORKFLOWS);

    private GovernorMain() {}

    /** Everything that was found, for programs. */
    record Results(List<String> machine, Effort effort, List<Finding> findings, List<PerformanceTarget> targets) {}

    /** Takes {@code --quick} or nothing; exits with 1 if a target is missed. */
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
        run.out().printf("%nOne decision of the gate: how many per second on one core, median time, bytes%n%n");
        run.out().println(report.formatTable(Table.DECISIONS));
        run.out().printf("%nOne decision in a system with so many past executions, entry looked up by target%n%n");
        run.out().println(report.formatTable(Table.PAST));
        run.out().printf("%n%s%n%n%s", report.formatComparison(), NOTES);
        run.out().printf("%nOne plan%n%n%s%n%n", report.formatTable(Table.PLANS));
        run.printTargets(report.targets());
        run.writeResultsAndExit(
                new Results(run.machine(), run.effort(), report.findings(), report.targets()), report.targets());
    }
}
