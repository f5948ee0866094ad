package dev.escapement.benchmarks.kubernetes;

import dev.escapement.benchmarks.report.TargetResults;
import dev.escapement.crashtests.kit.Console;
import dev.escapement.testkit.cluster.ClusterBinaries;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** The command {@code benchmarks/kubernetes}: counts the requests of the operator, and measures its throughput. */
public final class KubernetesMain {

    private static final double MIN_SHARE = 0.6;
    private static final double MEGABYTE = 1 << 20;
    private static final int EXIT_COULD_NOT_RUN = 2;

    private final boolean quick;
    private final Path folder;
    private final TargetResults targetResults = new TargetResults();

    private KubernetesMain(boolean quick, Path folder) {
        this.quick = quick;
        this.folder = folder;
    }

    /**
     * Arguments: {@code --quick}, and the parts {@code counts} and {@code load}; both if none is given. Runs in the
     * folder of the project.
     */
    public static void main(String[] args) throws Exception {
        ClusterBinaries binaries = ClusterBinaries.ofCurrentProcess();
        if (!binaries.missing().isEmpty()) {
            System.err.println(binaries.missingMessage());
            System.exit(EXIT_COULD_NOT_RUN);
        }
        List<String> parts = new ArrayList<>(List.of(args));
        boolean quick = parts.remove("--quick");
        Path folder = Files.createTempDirectory("escapement-kubernetes");
        System.exit(exitCode(new KubernetesMain(quick, folder), parts));
    }

    private static int exitCode(KubernetesMain main, List<String> parts) throws Exception {
        try {
            return main.run(parts) ? 0 : 1;
        } catch (Exception failure) {
            failure.printStackTrace();
            return EXIT_COULD_NOT_RUN;
        }
    }

    private boolean run(List<String> parts) throws Exception {
        Console.printLoadAverage("Before", 2);
        if (parts.isEmpty() || parts.contains("counts")) {
            measureCounts();
        }
        if (parts.isEmpty() || parts.contains("load")) {
            measureLoad();
            measureLoadWithTekton();
        }
        Console.print("%nTargets");
        targetResults.print();
        Console.printLoadAverage("After", 2);
        return targetResults.allHold();
    }

    private void measureCounts() throws Exception {
        Console.print(
                "%nCounts, from the API server's audit log: a real Tekton, a simulated kubelet, the packaged operator");
        RequestCountPlan plan = quick ? RequestCountPlan.QUICK : RequestCountPlan.FULL;
        try (BenchmarkCluster cluster = BenchmarkCluster.startWithTekton(this::printProgress);
                BenchmarkWorkflows workflows = new BenchmarkWorkflows();
                ExecutionTracker executions = new ExecutionTracker(cluster.admin());
                PackagedOperatorProcess operator =
                        PackagedOperatorProcess.start(cluster.operatorKubeconfig(), folder)) {
            executions.failWhenExits(operator.handle());
            RequestCountBenchmark counts = new RequestCountBenchmark(plan, cluster, executions, workflows);
            Console.print("%s", RequestCountResult.formatHeader());
            for (RequestCountResult phase :
                    List.of(counts.countCompletedSequentially(), countConcurrentWithRetry(counts))) {
                print(phase);
                RequestCountTargets.checkCompleted(targetResults, phase);
            }
            for (RequestCountResult phase : List.of(counts.countSkippedByCooldown(), counts.countSkippedByBusy())) {
                print(phase);
                RequestCountTargets.checkSkipped(targetResults, phase);
            }
            List<RequestCountResult> quiet = counts.countWaitingAndEnding();
            quiet.forEach(KubernetesMain::print);
            RequestCountTargets.checkQuiet(targetResults, quiet.get(0));
            Console.print("  without a target:");
            print(counts.countThreeTasks());
            print(counts.countFailedDuringExecution());
            print(counts.countFailedOnMissingBundle());
            print(counts.countFailedOnRejection());
            print(counts.countIdleEntryRemoval());
        }
    }

    /**
     * Counts again if there were too many requests: on a machine that stalls for seconds a write may be sent twice, and
     * the second one is refused.
     */
    private static RequestCountResult countConcurrentWithRetry(RequestCountBenchmark counts) throws Exception {
        RequestCountResult first = counts.countCompletedConcurrently("first");
        if (RequestCountTargets.isWithinLimits(first)) {
            return first;
        }
        print(first);
        Console.print("  more requests than expected; counting again:");
        return counts.countCompletedConcurrently("second");
    }

    private static void print(RequestCountResult phase) {
        Console.print("%s%n%s", phase.formatRow(), phase.formatDetail());
    }

    private void measureLoad() throws Exception {
        LoadPlan plan = quick ? LoadPlan.QUICK : LoadPlan.FULL;
        Console.print(
                "%nLoad: %,d executions over %,d targets, each with another workflow, at most %d unfinished",
                plan.executions(), plan.targets(), plan.maxUnfinished());
        Console.print(
                "  Tekton's controller is simulated: every started run succeeds at once. etcd waits for the disk.");
        try (BenchmarkCluster cluster = BenchmarkCluster.startWithoutTekton(this::printProgress);
                ExecutionTracker executions = new ExecutionTracker(cluster.admin());
                SimulatedTekton tekton = new SimulatedTekton(cluster.admin(), InstantSource.system())) {
            LoadBenchmark load = new LoadBenchmark(plan, cluster, folder, executions);
            Console.print("%s", LoadResult.formatHeader());
            LoadResult before = print(load.measureBareClient("bare client, before", "six", plan.executions() / 2));
            LoadResult operator = measureOperator(load, cluster, plan);
            LoadResult after = print(load.measureBareClient("bare client, after", "six", plan.executions() / 2));
            print(load.measureBareClient("bare client, read and events too", "all", plan.executions() / 4));
            Console.print("      the simulated Tekton ended %,d runs", tekton.endedCount());
            checkShare(operator, before, after);
        }
    }

    private LoadResult measureOperator(LoadBenchmark load, BenchmarkCluster cluster, LoadPlan plan) throws Exception {
        BenchmarkCleanup.removeAll(cluster.admin());
        try (PackagedOperatorProcess operator = PackagedOperatorProcess.start(cluster.operatorKubeconfig(), folder)) {
            load.warmUp(LoadFeed.IMAGE);
            LoadResult measured = print(load.measureOperator(
                    "operator", operator, plan.executions(), plan.maxUnfinished(), LoadFeed.IMAGE));
            Console.print(
                    "      Events still to be published after the last execution had finished: %,d",
                    operator.queuedEventCount());
            Console.print(
                    "      heap after a garbage collection, with all executions: %.1f MB",
                    operator.heapUsedAfterGc() / MEGABYTE);
            print(load.measureOperator("operator, one at a time", operator, plan.sequential(), 1, LoadFeed.IMAGE));
            return measured;
        }
    }

    private void checkShare(LoadResult operator, LoadResult before, LoadResult after) {
        double limit = (before.latencies().perSecond() + after.latencies().perSecond()) / 2;
        double share = operator.latencies().perSecond() / limit;
        targetResults.check(
                share >= MIN_SHARE,
                "at least 60 % of a bare client that only makes the six writes",
                "%.1f of %.1f per second (%.1f before, %.1f after), %.0f %%",
                operator.latencies().perSecond(),
                limit,
                before.latencies().perSecond(),
                after.latencies().perSecond(),
                100 * share);
    }

    /** Measures with the real Tekton, which uses the same processors. */
    private void measureLoadWithTekton() throws Exception {
        LoadPlan plan = quick ? LoadPlan.QUICK : LoadPlan.FULL;
        Console.print("%nThe same with the real Tekton and a simulated kubelet: %,d executions", plan.withTekton());
        try (BenchmarkCluster cluster = BenchmarkCluster.startWithTekton(this::printProgress);
                BenchmarkWorkflows workflows = new BenchmarkWorkflows();
                ExecutionTracker executions = new ExecutionTracker(cluster.admin());
                PackagedOperatorProcess operator =
                        PackagedOperatorProcess.start(cluster.operatorKubeconfig(), folder)) {
            Console.print("%s", LoadResult.formatHeader());
            LoadBenchmark load = new LoadBenchmark(plan, cluster, folder, executions);
            print(load.measureOperator(
                    "operator, real Tekton",
                    operator,
                    plan.withTekton(),
                    plan.maxUnfinished(),
                    workflows.succeedingImage()));
        }
    }

    private static LoadResult print(LoadResult measured) {
        Console.print("%s%n%s", measured.formatRow(), measured.formatDetail());
        return measured;
    }

    private void printProgress(String line) {
        System.err.println(line);
    }
}
