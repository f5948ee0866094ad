package dev.escapement.benchmarks.kubernetes;

import dev.escapement.crashtests.kit.ChildJvm;
import dev.escapement.testkit.ConditionPoller;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/** Measures the same load on one cluster with the operator and with the bare client. */
final class LoadBenchmark {

    /** The audit log is written after the responses. */
    private static final Duration AUDIT_LOG_DELAY = Duration.ofSeconds(2);

    private final LoadPlan plan;
    private final BenchmarkCluster cluster;
    private final Path folder;
    private final ExecutionTracker executions;
    private final InstantSource clock = InstantSource.system();
    private int feedCount;

    LoadBenchmark(LoadPlan plan, BenchmarkCluster cluster, Path folder, ExecutionTracker executions) {
        this.plan = plan;
        this.cluster = cluster;
        this.folder = folder;
        this.executions = executions;
    }

    /** @param what {@code six} for the writes only, {@code all} for the read and the Events too */
    LoadResult measureBareClient(String title, String what, int number) throws Exception {
        BenchmarkCleanup.removeAll(cluster.admin());
        String file = cluster.operatorKubeconfig().file().toString();
        Path log = Files.createTempFile(folder, "bare", ".log");
        try (ChildJvm child =
                new ChildJvm(BareClientMain.class, log, List.of(file, Integer.toString(LoadPlan.THREADS), what))) {
            child.readLine();
            newFeed(plan.maxUnfinished(), LoadFeed.IMAGE).run(plan.warmUp());
            child.sendCommand(Integer.toString(plan.warmUp()));
            LoadResult measured = measure(title, child.handle(), number, plan.maxUnfinished(), LoadFeed.IMAGE);
            child.sendCommand(Integer.toString(plan.warmUp() + number));
            return measured;
        }
    }

    /** Warms up the operator. */
    void warmUp(String image) throws Exception {
        newFeed(plan.maxUnfinished(), image).run(plan.warmUp());
    }

    LoadResult measureOperator(String title, PackagedOperatorProcess operator, int number, int unfinished, String image)
            throws Exception {
        return measure(title, operator.handle(), number, unfinished, image);
    }

    private LoadResult measure(String title, ProcessHandle subject, int number, int unfinished, String image)
            throws Exception {
        long position = cluster.auditLog().position();
        CpuUsage before = CpuUsage.snapshot(subject, title);
        List<LoadFeed.CreatedExecution> created = newFeed(unfinished, image).run(number);
        ConditionPoller.sleep(AUDIT_LOG_DELAY);
        CpuUsage spent = CpuUsage.snapshot(subject, title).since(before);
        List<AuditedRequest> calls = cluster.auditLog().readSince(position);
        return new LoadResult(title, number, RunLatencies.calculate(created, calls), new RequestTally(calls), spent);
    }

    private LoadFeed newFeed(int unfinished, String image) {
        return new LoadFeed(executions, clock, "load" + ++feedCount, image, plan.targets(), unfinished);
    }
}
