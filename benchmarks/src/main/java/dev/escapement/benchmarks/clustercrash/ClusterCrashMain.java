package dev.escapement.benchmarks.clustercrash;

import dev.escapement.benchmarks.clustercrash.judge.Change;
import dev.escapement.benchmarks.clustercrash.judge.Evidence;
import dev.escapement.benchmarks.clustercrash.judge.History;
import dev.escapement.benchmarks.clustercrash.judge.Judge;
import dev.escapement.benchmarks.clustercrash.judge.Kind;
import dev.escapement.benchmarks.clustercrash.judge.RunLife;
import dev.escapement.cluster.ClusterException;
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
 * {@code dev/cluster-crash-test}: faults of every kind under load on a real cluster, then a verdict on every promise.
 */
public final class ClusterCrashMain {

    private static final Duration LONGEST_QUIET = Duration.ofMinutes(3);

    /** What was robbed may never end. */
    private static final Duration LONGEST_QUIET_AFTER_SABOTAGE = Duration.ofSeconds(30);

    private static final Duration TIME_TO_TELL = Duration.ofSeconds(5);
    private static final String ADMITTED = "not told, and lost if this process ends";
    private static final int BROKEN = 1;
    private static final int COULD_NOT_RUN = 2;
    private static final int NOT_AS_PLANNED = 3;
    private static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);

    private ClusterCrashMain() {}

    /** Arguments: kills, seed, {@code quick} or {@code full}, a sabotage or nothing, the program, the manifests. */
    public static void main(String[] args) throws Exception {
        Options options = new Options(
                Integer.parseInt(args[0]),
                Long.parseLong(args[1]),
                args[2].equals("quick"),
                Sabotage.of(args[3]),
                Path.of(args[4]),
                Path.of(args[5]));
        System.exit(run(options));
    }

    private static int run(Options options) throws Exception {
        Path folder = Files.createTempDirectory("escapement-cluster-crash");
        try (Stage stage = new Stage(options.manifests(), ClusterCrashMain::say);
                Fleet fleet = new Fleet(stage, options.jar(), folder, options.seed())) {
            fleet.add();
            Load load = new Load(stage, fleet, options.seed());
            Coverage coverage = new Coverage();
            try {
                new Phases(stage, fleet, load, options, coverage, ClusterCrashMain::say).run();
                options.sabotage().ifPresent(sabotage -> {
                    boolean done = sabotage.commit(stage.admin(), ClusterCrashMain::say);
                    say("sabotage %s %s".formatted(sabotage.word(), done ? "committed" : "found nothing to do"));
                });
            } finally {
                load.stop();
            }
            say("operators ended by themselves %d times, and were started again".formatted(fleet.gaveUp()));
            coverage.made().forEach((fault, times) -> say("  %3d x %s".formatted(times, fault)));
            boolean kept = judge(stage, fleet, load, options, folder);
            coverage.missed().forEach(fault -> say("  MISSED " + fault + ": it never came to it, so nothing is shown"));
            int code = code(kept, coverage);
            if (code != 0) {
                say("  the same moments again: --seed " + options.seed());
            }
            return code;
        } catch (ClusterException | TimeoutException unable) {
            say(String.valueOf(unable.getMessage()));
            return COULD_NOT_RUN;
        }
    }

    /** A broken promise counts more than a fault that was not made. */
    static int code(boolean kept, Coverage coverage) {
        if (!kept) {
            return BROKEN;
        }
        return coverage.missed().isEmpty() ? 0 : NOT_AS_PLANNED;
    }

    private static boolean judge(Stage stage, Fleet fleet, Load load, Options options, Path folder)
            throws IOException, InterruptedException {
        say("everything comes to its end by itself");
        Executions executions = new Executions(stage.admin());
        long begun = System.nanoTime();
        boolean quiet = Wait.until(
                executions::areQuiet, options.sabotage().isPresent() ? LONGEST_QUIET_AFTER_SABOTAGE : LONGEST_QUIET);
        say("  %s after %d s"
                .formatted(quiet ? "all quiet" : "NOT QUIET", (System.nanoTime() - begun) / 1_000_000_000));
        if (!quiet) {
            fleet.all().forEach(OperatorProcess::examine);
        }
        awaitLastWords(stage);
        History history = new History(new Etcd(stage.cluster().etcdAddress()).history());
        Map<String, List<String>> verdict = Judge.of(new Evidence(
                history,
                load.acknowledged,
                load.deleted,
                stage.events(),
                admittedUntold(folder),
                Stage.COOLDOWN,
                Stage.MOST_FAILURES));
        return report(load, history, verdict, folder);
    }

    private static int admittedUntold(Path folder) throws IOException {
        int admitted = 0;
        try (DirectoryStream<Path> logs = Files.newDirectoryStream(folder, "*.log")) {
            for (Path log : logs) {
                try (Stream<String> lines = Files.lines(log)) {
                    admitted +=
                            (int) lines.filter(line -> line.contains(ADMITTED)).count();
                }
            }
        }
        if (admitted > 0) {
            say("  %d times an operator said that a clearance cannot be told in time".formatted(admitted));
        }
        return admitted;
    }

    /** After many kills there is much to tell anew: until nothing has come for a while. */
    private static void awaitLastWords(Stage stage) throws IOException {
        long end = System.nanoTime() + LONGEST_QUIET.toNanos();
        int before = -1;
        int now = stage.events().size();
        while (now != before && System.nanoTime() - end < 0) {
            Wait.pause(TIME_TO_TELL);
            before = now;
            now = stage.events().size();
        }
    }

    private static boolean report(Load load, History history, Map<String, List<String>> verdict, Path folder)
            throws IOException {
        long jobs = started(history, "Job");
        long pipelines = started(history, "PipelineRun");
        say("%,d writes read back from etcd: %d executions, %d targets, %d runs"
                .formatted(
                        history.changes().size(),
                        history.lives(Kind.EXECUTION).size(),
                        history.entries().size(),
                        history.runs().size()));
        say(
                "%d requests acknowledged, %d PipelineRuns and %d Jobs started, %d cancelled, %d deleted, %d targets cleared"
                        .formatted(
                                load.acknowledged.size(),
                                pipelines,
                                jobs,
                                load.cancelled.get(),
                                load.deleted.size(),
                                load.cleared.get()));
        verdict.forEach((promise, broken) -> {
            say("  %-6s %s".formatted(broken.isEmpty() ? "kept" : "BROKEN", promise));
            broken.stream().limit(10).forEach(each -> say("           " + each));
        });
        boolean good = verdict.values().stream().allMatch(List::isEmpty);
        if (jobs == 0 || pipelines == 0) {
            good = false;
            say("  EMPTY  one of the engines has started nothing, so nothing is shown of it");
        }
        if (!good) {
            keep(history, folder);
            say("  logs and the history are left in " + folder);
        }
        return good;
    }

    private static long started(History history, String kind) {
        return history.runs().values().stream()
                .filter(RunLife::wasStarted)
                .filter(run -> run.kind().equals(kind))
                .count();
    }

    /** For whoever wants to know how it came about. */
    private static void keep(History history, Path folder) throws IOException {
        try (BufferedWriter out = Files.newBufferedWriter(folder.resolve("history.txt"))) {
            for (Change change : history.changes()) {
                out.write("%d %s %s %s".formatted(change.revision(), change.kind(), change.path(), change.after()));
                out.newLine();
            }
        }
    }

    private static void say(String line) {
        OUT.println(line);
    }
}
