package dev.escapement.benchmarks.kubernetes;

import dev.escapement.benchmarks.report.TargetResults;
import dev.escapement.testkit.cluster.ClusterBinaries;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** {@code benchmarks/kubernetes}: what the operator asks of a cluster, and how much it carries. */
public final class KubernetesMain {

    private static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);
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
     * Takes {@code --quick} and the parts {@code counts} and {@code load}, both if none is named; in the project's
     * folder.
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
        printLoadAverage("Before");
        if (parts.isEmpty() || parts.contains("counts")) {
            measureCounts();
        }
        if (parts.isEmpty() || parts.contains("load")) {
            measureLoad();
            measureLoadWithTekton();
        }
        print("%nTargets");
        targetResults.lines().forEach(OUT::println);
        printLoadAverage("After");
        return targetResults.allHold();
    }

    private void measureCounts() throws Exception {
        print("%nCounts, from the API server's audit log: a real Tekton, a simulated kubelet, the packaged operator");
        RequestCountPlan plan = quick ? RequestCountPlan.QUICK : RequestCountPlan.FULL;
        try (BenchmarkCluster site = BenchmarkCluster.startWithTekton(this::printProgress);
                BenchmarkWorkflows workflows = new BenchmarkWorkflows();
                ExecutionTracker executions = new ExecutionTracker(site.admin());
                PackagedOperatorProcess operator = new PackagedOperatorProcess(site.operatorKubeconfig(), folder)) {
            executions.failWhenExits(operator.handle());
            RequestCountBenchmark counts = new RequestCountBenchmark(plan, site, executions, workflows);
            print("%s", RequestCountResult.formatHeader());
            for (RequestCountResult phase :
                    List.of(counts.countCompletedSequentially(), countConcurrentWithRetry(counts))) {
                show(phase);
                RequestCountTargets.checkCompleted(targetResults, phase);
            }
            for (RequestCountResult phase : List.of(counts.countSkippedByCooldown(), counts.countSkippedByBusy())) {
                show(phase);
                RequestCountTargets.checkSkipped(targetResults, phase);
            }
            List<RequestCountResult> quiet = counts.countWaitingAndEnding();
            quiet.forEach(KubernetesMain::show);
            RequestCountTargets.checkQuiet(targetResults, quiet.get(0));
            print("  not judged:");
            show(counts.countThreeTasks());
            show(counts.countFailedDuringExecution());
            show(counts.countFailedOnMissingBundle());
            show(counts.countFailedOnRejection());
            show(counts.countIdleEntryRemoval());
        }
    }

    /**
     * On a machine that stands still for seconds a write may be made twice, and be refused: then it is counted once
     * more.
     */
    private static RequestCountResult countConcurrentWithRetry(RequestCountBenchmark counts) throws Exception {
        RequestCountResult first = counts.countCompletedConcurrently("once");
        if (RequestCountTargets.isWithinLimits(first)) {
            return first;
        }
        show(first);
        print("  more than expected; measuring again:");
        return counts.countCompletedConcurrently("once-more");
    }

    private static void show(RequestCountResult phase) {
        print("%s%n%s", phase.formatRow(), phase.formatDetail());
    }

    private void measureLoad() throws Exception {
        LoadPlan plan = quick ? LoadPlan.QUICK : LoadPlan.FULL;
        print(
                "%nLoad: %,d executions over %,d targets, each use of a target by another workflow, %d unfinished at most",
                plan.executions(), plan.targets(), plan.maxUnfinished());
        print("  Tekton's controller is simulated: every started run succeeds at once. etcd waits for the disk.");
        try (BenchmarkCluster site = BenchmarkCluster.startWithoutTekton(this::printProgress);
                ExecutionTracker executions = new ExecutionTracker(site.admin());
                SimulatedTekton tekton = new SimulatedTekton(site.admin(), InstantSource.system())) {
            LoadBenchmark load = new LoadBenchmark(plan, site, folder, executions);
            print("%s", LoadResult.formatHeader());
            LoadResult before = show(load.measureBareClient("bare client, before", "six", plan.executions() / 2));
            LoadResult operator = measureOperator(load, site, plan);
            LoadResult after = show(load.measureBareClient("bare client, after", "six", plan.executions() / 2));
            show(load.measureBareClient("bare client, read and events too", "all", plan.executions() / 4));
            print("      the simulated Tekton ended %,d runs", tekton.endedCount());
            checkShare(operator, before, after);
        }
    }

    private LoadResult measureOperator(LoadBenchmark load, BenchmarkCluster site, LoadPlan plan) throws Exception {
        BenchmarkCleanup.removeAll(site.admin());
        try (PackagedOperatorProcess operator = new PackagedOperatorProcess(site.operatorKubeconfig(), folder)) {
            load.warmUp(LoadFeed.IMAGE);
            LoadResult measured = show(load.measureOperator(
                    "operator", operator, plan.executions(), plan.maxUnfinished(), LoadFeed.IMAGE));
            print(
                    "      Events still to be published after the last execution had finished: %,d",
                    operator.queuedEventCount());
            print(
                    "      heap after a collection, all executions still there: %.1f MB",
                    operator.heapUsedAfterGc() / MEGABYTE);
            show(load.measureOperator("operator, one at a time", operator, plan.sequential(), 1, LoadFeed.IMAGE));
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

    /** How much of it is left when Tekton does its own work on the same processors. */
    private void measureLoadWithTekton() throws Exception {
        LoadPlan plan = quick ? LoadPlan.QUICK : LoadPlan.FULL;
        print("%nThe same with the real Tekton and a simulated kubelet: %,d executions", plan.withTekton());
        try (BenchmarkCluster site = BenchmarkCluster.startWithTekton(this::printProgress);
                BenchmarkWorkflows workflows = new BenchmarkWorkflows();
                ExecutionTracker executions = new ExecutionTracker(site.admin());
                PackagedOperatorProcess operator = new PackagedOperatorProcess(site.operatorKubeconfig(), folder)) {
            print("%s", LoadResult.formatHeader());
            LoadBenchmark load = new LoadBenchmark(plan, site, folder, executions);
            show(load.measureOperator(
                    "operator, real Tekton",
                    operator,
                    plan.withTekton(),
                    plan.maxUnfinished(),
                    workflows.succeedingImage()));
        }
    }

    private static LoadResult show(LoadResult measured) {
        print("%s%n%s", measured.formatRow(), measured.formatDetail());
        return measured;
    }

    private void printProgress(String line) {
        System.err.println(line);
    }

    private static void printLoadAverage(String when) {
        print(
                "%s: load average %.1f on %d processors (our own share is about 2)",
                when,
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
                Runtime.getRuntime().availableProcessors());
    }

    private static void print(String format, Object... values) {
        OUT.println(String.format(Locale.ROOT, format, values));
    }
}
