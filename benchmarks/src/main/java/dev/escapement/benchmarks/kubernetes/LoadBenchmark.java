package dev.escapement.benchmarks.kubernetes;

import dev.escapement.crashtests.kit.ChildJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/** Carries a load on one cluster, once by the operator and once by the bare client. */
final class LoadBenchmark {

    /** Until the last line is in the audit log, which is written behind the answers. */
    private static final Duration AUDIT_LOG_DELAY = Duration.ofSeconds(2);

    private final LoadPlan plan;
    private final BenchmarkCluster cluster;
    private final Path folder;
    private final ExecutionTracker executions;
    private final InstantSource clock = InstantSource.system();
    private int feedCount;

    LoadBenchmark(LoadPlan plan, BenchmarkCluster site, Path folder, ExecutionTracker executions) {
        this.plan = plan;
        this.cluster = site;
        this.folder = folder;
        this.executions = executions;
    }

    /** What only makes the writes, or all that the operator asks. */
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

    /** The operator's warm-up. */
    void warmUp(String image) throws Exception {
        newFeed(plan.maxUnfinished(), image).run(plan.warmUp());
    }

    LoadResult measureOperator(String title, PackagedOperatorProcess operator, int number, int unfinished, String image)
            throws Exception {
        return measure(title, operator.handle(), number, unfinished, image);
    }

    private LoadResult measure(String title, ProcessHandle subject, int number, int unfinished, String image)
            throws Exception {
        long mark = cluster.auditLog().position();
        CpuUsage before = CpuUsage.snapshot(subject, title);
        List<LoadFeed.CreatedExecution> asked = newFeed(unfinished, image).run(number);
        BenchmarkWait.sleep(AUDIT_LOG_DELAY);
        CpuUsage spent = CpuUsage.snapshot(subject, title).since(before);
        List<AuditedRequest> calls = cluster.auditLog().readSince(mark);
        return new LoadResult(title, number, RunLatencies.calculate(asked, calls), new RequestTally(calls), spent);
    }

    private LoadFeed newFeed(int unfinished, String image) {
        return new LoadFeed(executions, clock, "load" + ++feedCount, image, plan.targets(), unfinished);
    }
}
