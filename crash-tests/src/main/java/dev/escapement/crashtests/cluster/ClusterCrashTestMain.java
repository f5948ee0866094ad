package dev.escapement.crashtests.cluster;

import dev.escapement.crashtests.cluster.judge.ClusterEvidence;
import dev.escapement.crashtests.cluster.judge.ClusterJudge;
import dev.escapement.crashtests.cluster.judge.EtcdChange;
import dev.escapement.crashtests.cluster.judge.EtcdHistory;
import dev.escapement.crashtests.cluster.judge.EtcdObjectKind;
import dev.escapement.crashtests.cluster.judge.RunLifecycle;
import dev.escapement.crashtests.kit.CrashTestWait;
import dev.escapement.crashtests.kit.VerdictPrinter;
import dev.escapement.testkit.cluster.ClusterException;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * {@code dev/cluster-crash-test}: injects faults of every kind under load on a real cluster, then judges every promise.
 */
public final class ClusterCrashTestMain {

    private static final Duration MAX_SETTLE_TIME = Duration.ofMinutes(3);

    /** An execution that a sabotage touched may never finish. */
    private static final Duration MAX_SETTLE_TIME_AFTER_SABOTAGE = Duration.ofSeconds(30);

    private static final Duration EVENT_QUIET_PERIOD = Duration.ofSeconds(5);
    private static final String LOST_CLEARANCE_LOG_TEXT = "Event not created yet, lost if this process ends";
    private static final int EXIT_PROMISE_BROKEN = 1;
    private static final int EXIT_COULD_NOT_RUN = 2;
    private static final int EXIT_FAULT_MISSED = 3;
    private static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);

    private ClusterCrashTestMain() {}

    /** Arguments: kills, seed, {@code quick} or {@code full}, a sabotage or nothing, the program, the manifests. */
    public static void main(String[] args) throws Exception {
        ClusterCrashTestOptions options = new ClusterCrashTestOptions(
                Integer.parseInt(args[0]),
                Long.parseLong(args[1]),
                args[2].equals("quick"),
                ClusterSabotage.parse(args[3]),
                Path.of(args[4]),
                Path.of(args[5]));
        System.exit(run(options));
    }

    private static int run(ClusterCrashTestOptions options) throws Exception {
        Path folder = Files.createTempDirectory("escapement-cluster-crash");
        try (CrashTestCluster stage = new CrashTestCluster(options.manifests(), ClusterCrashTestMain::print);
                OperatorGroup operators = new OperatorGroup(stage, options.jar(), folder, options.seed())) {
            operators.start();
            ClusterLoad load = new ClusterLoad(stage, operators, options.seed());
            FaultCoverage coverage = new FaultCoverage();
            try {
                new FaultSequence(stage, operators, load, options, coverage, ClusterCrashTestMain::print).run();
                options.sabotage().ifPresent(sabotage -> {
                    boolean done = sabotage.apply(stage.admin(), ClusterCrashTestMain::print);
                    print("sabotage %s %s"
                            .formatted(sabotage.optionValue(), done ? "committed" : "found nothing to do"));
                });
            } finally {
                load.stop();
            }
            print("operators exited unexpectedly %d times and were restarted".formatted(operators.unexpectedExits()));
            coverage.made().forEach((fault, times) -> print("  %3d x %s".formatted(times, fault)));
            boolean kept = collectAndJudge(stage, operators, load, options, folder);
            coverage.missed()
                    .forEach(fault -> print("  MISSED " + fault + ": could not be injected, so nothing is shown"));
            int code = exitCode(kept, coverage);
            if (code != 0) {
                print("  to repeat the same moments: --seed " + options.seed());
            }
            return code;
        } catch (ClusterException | TimeoutException unable) {
            print(String.valueOf(unable.getMessage()));
            return EXIT_COULD_NOT_RUN;
        }
    }

    /** A broken promise counts more than a fault that was not made. */
    static int exitCode(boolean kept, FaultCoverage coverage) {
        if (!kept) {
            return EXIT_PROMISE_BROKEN;
        }
        return coverage.missed().isEmpty() ? 0 : EXIT_FAULT_MISSED;
    }

    private static boolean collectAndJudge(
            CrashTestCluster stage,
            OperatorGroup operators,
            ClusterLoad load,
            ClusterCrashTestOptions options,
            Path folder)
            throws IOException, InterruptedException {
        print("waiting until every execution has finished");
        ExecutionClient executions = new ExecutionClient(stage.admin());
        long begun = System.nanoTime();
        boolean quiet = CrashTestWait.waitUntil(
                executions::isSettled,
                options.sabotage().isPresent() ? MAX_SETTLE_TIME_AFTER_SABOTAGE : MAX_SETTLE_TIME);
        print("  %s after %d s"
                .formatted(quiet ? "settled" : "NOT SETTLED", (System.nanoTime() - begun) / 1_000_000_000));
        if (!quiet) {
            operators.all().forEach(ProxiedOperatorProcess::dumpThreads);
        }
        awaitLastEvents(stage);
        EtcdHistory history =
                new EtcdHistory(new EtcdHistoryReader(stage.cluster().etcdAddress()).readHistory());
        Map<String, List<String>> verdict = ClusterJudge.judge(new ClusterEvidence(
                history,
                load.acknowledged,
                load.deleted,
                stage.events(),
                countAdmittedLostClearances(folder),
                CrashTestCluster.COOLDOWN,
                CrashTestCluster.MAX_FAILURES));
        return printReport(load, history, verdict, folder);
    }

    private static int countAdmittedLostClearances(Path folder) throws IOException {
        int admitted = 0;
        try (DirectoryStream<Path> logs = Files.newDirectoryStream(folder, "*.log")) {
            for (Path log : logs) {
                try (Stream<String> lines = Files.lines(log)) {
                    admitted += (int) lines.filter(line -> line.contains(LOST_CLEARANCE_LOG_TEXT))
                            .count();
                }
            }
        }
        if (admitted > 0) {
            print("  %d times an operator logged that the Event of a clearance was not created in time"
                    .formatted(admitted));
        }
        return admitted;
    }

    /** Waits until no Event has been created for a while: after many kills the operator replays many. */
    private static void awaitLastEvents(CrashTestCluster stage) throws IOException {
        long end = System.nanoTime() + MAX_SETTLE_TIME.toNanos();
        int before = -1;
        int now = stage.events().size();
        while (now != before && System.nanoTime() - end < 0) {
            CrashTestWait.sleep(EVENT_QUIET_PERIOD);
            before = now;
            now = stage.events().size();
        }
    }

    private static boolean printReport(
            ClusterLoad load, EtcdHistory history, Map<String, List<String>> verdict, Path folder) throws IOException {
        long jobs = countStarted(history, "Job");
        long pipelines = countStarted(history, "PipelineRun");
        print("%,d writes read back from etcd: %d executions, %d targets, %d runs"
                .formatted(
                        history.changes().size(),
                        history.changesByUid(EtcdObjectKind.EXECUTION).size(),
                        history.entries().size(),
                        history.runs().size()));
        print(
                "%d requests acknowledged, %d PipelineRuns and %d Jobs started, %d cancelled, %d deleted, %d targets cleared"
                        .formatted(
                                load.acknowledged.size(),
                                pipelines,
                                jobs,
                                load.cancelled.get(),
                                load.deleted.size(),
                                load.cleared.get()));
        boolean good = VerdictPrinter.print(verdict, ClusterCrashTestMain::print);
        if (jobs == 0 || pipelines == 0) {
            good = false;
            print("  EMPTY  one of the engines started no run, so nothing is shown of it");
        }
        if (!good) {
            saveHistory(history, folder);
            print("  logs and the history are kept in " + folder);
        }
        return good;
    }

    private static long countStarted(EtcdHistory history, String kind) {
        return history.runs().values().stream()
                .filter(RunLifecycle::wasStarted)
                .filter(run -> run.kind().equals(kind))
                .count();
    }

    /** Saves every change for the analysis of a violation. */
    private static void saveHistory(EtcdHistory history, Path folder) throws IOException {
        try (BufferedWriter out = Files.newBufferedWriter(folder.resolve("history.txt"))) {
            for (EtcdChange change : history.changes()) {
                out.write("%d %s %s %s".formatted(change.revision(), change.kind(), change.path(), change.after()));
                out.newLine();
            }
        }
    }

    private static void print(String line) {
        OUT.println(line);
    }
}
