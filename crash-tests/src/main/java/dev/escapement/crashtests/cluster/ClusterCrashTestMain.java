package dev.escapement.crashtests.cluster;

import dev.escapement.crashtests.cluster.judge.ClusterDeliveries;
import dev.escapement.crashtests.cluster.judge.ClusterEvidence;
import dev.escapement.crashtests.cluster.judge.ClusterJudge;
import dev.escapement.crashtests.cluster.judge.DeliveryCheck;
import dev.escapement.crashtests.cluster.judge.EtcdChange;
import dev.escapement.crashtests.cluster.judge.EtcdHistory;
import dev.escapement.crashtests.cluster.judge.EtcdObjectKind;
import dev.escapement.crashtests.cluster.judge.RunLifecycle;
import dev.escapement.crashtests.kit.Console;
import dev.escapement.crashtests.kit.UnreliableReceiver;
import dev.escapement.crashtests.kit.Verdict;
import dev.escapement.testkit.ConditionPoller;
import dev.escapement.testkit.cluster.ClusterException;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * The command {@code dev/cluster-crash-test}: injects faults under load on a real cluster, then checks every promise.
 */
public final class ClusterCrashTestMain {

    private static final Duration MAX_SETTLE_TIME = Duration.ofMinutes(3);

    /** After a sabotage an execution may never finish. */
    private static final Duration MAX_SETTLE_TIME_AFTER_SABOTAGE = Duration.ofSeconds(30);

    private static final Duration EVENT_QUIET_PERIOD = Duration.ofSeconds(5);
    private static final String LOST_CLEARANCE_LOG_TEXT = "Event not created yet, lost if this process ends";
    private static final int EXIT_PROMISE_BROKEN = 1;
    private static final int EXIT_COULD_NOT_RUN = 2;
    private static final int EXIT_FAULT_MISSED = 3;

    private ClusterCrashTestMain() {}

    /** Arguments: kills, seed, the extent, a sabotage or nothing, the program, the manifests. */
    public static void main(String[] args) throws Exception {
        ClusterCrashTestOptions options = new ClusterCrashTestOptions(
                Integer.parseInt(args[0]),
                Long.parseLong(args[1]),
                ClusterCrashTestOptions.Extent.valueOf(args[2].toUpperCase(Locale.ROOT)),
                ClusterSabotage.parse(args[3]),
                Path.of(args[4]),
                Path.of(args[5]));
        System.exit(run(options));
    }

    private static int run(ClusterCrashTestOptions options) throws Exception {
        Path folder = Files.createTempDirectory("escapement-cluster-crash");
        try (CrashTestCluster cluster = new CrashTestCluster(options.manifests(), Console::printLine);
                UnreliableReceiver receiver = new UnreliableReceiver(options.seed());
                OperatorGroup operators = new OperatorGroup(
                        cluster, options.jar(), folder, receiver.senderEnvironment(folder), options.seed())) {
            operators.start();
            ClusterLoad load = new ClusterLoad(cluster, operators, options.seed());
            FaultCoverage coverage = new FaultCoverage();
            FaultSequence faults = new FaultSequence(cluster, operators, load, options, coverage, Console::printLine);
            try {
                faults.run();
                options.sabotage().ifPresent(sabotage -> {
                    boolean done = sabotage.apply(cluster.admin(), Console::printLine);
                    Console.print(
                            "sabotage %s: %s",
                            sabotage.optionValue(), done ? "done" : "not possible, no suitable object was found");
                });
            } finally {
                load.stop();
            }
            Console.print("operators exited unexpectedly %d times and were restarted", operators.unexpectedExits());
            coverage.injected().forEach((fault, times) -> Console.print("  %3d x %s", times, fault));
            boolean kept = collectAndJudge(cluster, operators, load, faults, receiver, options, folder);
            coverage.missed().forEach(fault -> Console.print("  MISSED %s: could not be injected", fault));
            int code = exitCode(kept, coverage);
            if (code != 0) {
                Console.print("  to repeat the same moments: --seed %d", options.seed());
            }
            return code;
        } catch (ClusterException | TimeoutException unable) {
            Console.printLine(String.valueOf(unable.getMessage()));
            return EXIT_COULD_NOT_RUN;
        }
    }

    /** A broken promise takes precedence over a missed fault. */
    static int exitCode(boolean kept, FaultCoverage coverage) {
        if (!kept) {
            return EXIT_PROMISE_BROKEN;
        }
        return coverage.missed().isEmpty() ? 0 : EXIT_FAULT_MISSED;
    }

    private static boolean collectAndJudge(
            CrashTestCluster cluster,
            OperatorGroup operators,
            ClusterLoad load,
            FaultSequence faults,
            UnreliableReceiver receiver,
            ClusterCrashTestOptions options,
            Path folder)
            throws IOException, InterruptedException {
        Console.print("waiting until every execution has finished");
        ExecutionClient executions = new ExecutionClient(cluster.admin());
        long start = System.nanoTime();
        boolean settled = ConditionPoller.isTrueWithin(
                options.sabotage().isPresent() ? MAX_SETTLE_TIME_AFTER_SABOTAGE : MAX_SETTLE_TIME,
                executions::isSettled);
        Console.print(
                "  %s after %d s", settled ? "finished" : "NOT FINISHED", (System.nanoTime() - start) / 1_000_000_000);
        if (!settled) {
            operators.all().forEach(ProxiedOperatorProcess::dumpThreads);
        }
        receiver.repair();
        awaitLastEvents(cluster);
        ClusterDeliveries deliveries = awaitDeliveries(cluster, receiver);
        EtcdHistory history =
                new EtcdHistory(new EtcdHistoryReader(cluster.cluster().etcdAddress()).readHistory());
        Verdict verdict = ClusterJudge.judge(new ClusterEvidence(
                history,
                faults.lostEntries(),
                faults.executorOutages(),
                load.acknowledged,
                load.deleted,
                cluster.events(),
                deliveries,
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
            Console.print(
                    "  %d times an operator logged that the Event of a clearance was not created in time", admitted);
        }
        return admitted;
    }

    /** Waits until no Event has been created for a while: after many kills the operator replays many. */
    private static void awaitLastEvents(CrashTestCluster cluster) throws IOException {
        long end = System.nanoTime() + MAX_SETTLE_TIME.toNanos();
        int before = -1;
        int now = cluster.events().size();
        while (now != before && System.nanoTime() - end < 0) {
            ConditionPoller.sleep(EVENT_QUIET_PERIOD);
            before = now;
            now = cluster.events().size();
        }
    }

    /** Waits until everything was delivered, or for a long time; then reads what there is. */
    private static ClusterDeliveries awaitDeliveries(CrashTestCluster cluster, UnreliableReceiver receiver)
            throws IOException {
        long end = System.nanoTime() + MAX_SETTLE_TIME.toNanos();
        while (true) {
            receiver.awaitQuiet(MAX_SETTLE_TIME);
            ClusterDeliveries deliveries =
                    new ClusterDeliveries(receiver.records(), cluster.notifications(), receiver.webhookIds());
            DeliveryCheck check = new DeliveryCheck(cluster.events(), deliveries);
            boolean complete = check.findRecordsMissingAtSink().isEmpty()
                    && check.findUndelivered().isEmpty();
            if (complete || System.nanoTime() - end > 0) {
                Console.print(
                        "%d audit records and %d notifications arrived, %d requests were not confirmed",
                        deliveries.sinkRecords().size(), deliveries.webhookIds().size(), receiver.disturbed());
                return deliveries;
            }
        }
    }

    private static boolean printReport(ClusterLoad load, EtcdHistory history, Verdict verdict, Path folder)
            throws IOException {
        long jobs = countStarted(history, "Job");
        long pipelines = countStarted(history, "PipelineRun");
        Console.print(
                "%,d writes read from etcd: %d executions, %d targets, %d runs",
                history.changes().size(),
                history.changesByUid(EtcdObjectKind.EXECUTION).size(),
                history.entries().size(),
                history.runs().size());
        Console.print(
                "%d requests acknowledged, %d PipelineRuns and %d Jobs started, %d cancelled, %d deleted, %d targets cleared",
                load.acknowledged.size(),
                pipelines,
                jobs,
                load.cancelled.get(),
                load.deleted.size(),
                load.cleared.get());
        boolean good = verdict.print(Console::printLine);
        if (jobs == 0 || pipelines == 0) {
            good = false;
            Console.print("  EMPTY  one of the engines started no run, so it was not tested");
        }
        if (!good) {
            saveHistory(history, folder);
            Console.print("  logs and the history are kept in %s", folder);
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
}
