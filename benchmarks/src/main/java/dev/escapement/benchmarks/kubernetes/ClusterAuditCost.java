package dev.escapement.benchmarks.kubernetes;

import dev.escapement.benchmarks.kubernetes.AuditedRequest.Kind;
import dev.escapement.benchmarks.report.TargetResults;
import dev.escapement.crashtests.kit.Console;
import dev.escapement.crashtests.kit.UnreliableReceiver;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.Consumer;

/** Measures what an audit sink and notifications add to an execution on a cluster: API writes and time. */
public final class ClusterAuditCost {

    private static final double MAX_ADDED_SHARE = 0.15;

    /** The position is stored once a minute, and retries happen; one write per execution would be 1. */
    private static final double MAX_ADDED_WRITES = 0.05;

    private final LoadPlan plan;
    private final Path folder;
    private final TargetResults targetResults;

    /** @param quick fewer executions: shows that it works */
    public ClusterAuditCost(boolean quick, Path folder, TargetResults targetResults) {
        this.plan = quick ? LoadPlan.QUICK : LoadPlan.AUDIT;
        this.folder = folder;
        this.targetResults = targetResults;
    }

    /** The operator without both, with both, and without again, with the same load on one cluster. */
    public void measure(Consumer<String> progress) throws Exception {
        Console.print(
                "%nCluster: %,d executions, Tekton's controller simulated; audit sink and notifications over HTTP",
                plan.executions());
        try (BenchmarkCluster cluster = BenchmarkCluster.startWithoutTekton(progress);
                ExecutionTracker executions = new ExecutionTracker(cluster.admin());
                SimulatedTekton tekton = new SimulatedTekton(cluster.admin(), InstantSource.system());
                UnreliableReceiver receiver = new UnreliableReceiver(1)) {
            receiver.repair();
            cluster.installAuditPermissions();
            LoadBenchmark load = new LoadBenchmark(plan, cluster, folder, executions);
            Console.print("%s", LoadResult.formatHeader());
            LoadResult before = run(load, cluster, "without, before", Map.of());
            LoadResult with = run(load, cluster, "with audit and notifications", receiver.senderEnvironment(folder));
            LoadResult after = run(load, cluster, "without, after", Map.of());
            Console.print(
                    "      %,d audit records arrived; the simulated Tekton ended %,d runs",
                    receiver.records().size(), tekton.endedCount());
            check(before, with, after);
        }
    }

    private LoadResult run(LoadBenchmark load, BenchmarkCluster cluster, String title, Map<String, String> settings)
            throws Exception {
        BenchmarkCleanup.removeAll(cluster.admin());
        try (PackagedOperatorProcess operator =
                PackagedOperatorProcess.start(cluster.operatorKubeconfig(), folder, settings)) {
            load.warmUp(LoadFeed.IMAGE);
            LoadResult measured =
                    load.measureOperator(title, operator, plan.executions(), plan.maxUnfinished(), LoadFeed.IMAGE);
            Console.print("%s%n%s", measured.formatRow(), measured.formatDetail());
            return measured;
        }
    }

    private void check(LoadResult before, LoadResult with, LoadResult after) {
        double addedWrites = writes(with) - Math.min(writes(before), writes(after));
        targetResults.check(
                addedWrites <= MAX_ADDED_WRITES,
                "cluster: no API write more per execution",
                "%.2f instead of %.2f",
                writes(with),
                Math.min(writes(before), writes(after)));
        double limit = (before.latencies().perSecond() + after.latencies().perSecond()) / 2;
        double share = limit / with.latencies().perSecond() - 1;
        targetResults.check(
                share <= MAX_ADDED_SHARE,
                "cluster: audit and notifications add at most 15 % to an execution",
                "%.1f %% (%.1f per second, %.1f without)",
                100 * share,
                with.latencies().perSecond(),
                limit);
    }

    private static double writes(LoadResult result) {
        return (double) result.tally().count(Kind.WRITE) / result.executions();
    }
}
