package dev.escapement.benchmarks.endpoints;

import dev.escapement.benchmarks.report.TargetResults;
import dev.escapement.crashtests.kit.Console;
import dev.escapement.crashtests.kit.DurablePostgres;
import dev.escapement.crashtests.kit.RecordingHttpServerProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The command {@code benchmarks/endpoints}: measures throughput and lateness of the endpoint scheduler at the sink. */
public final class EndpointsMain {

    private static final double MIN_RATE = 3_000;
    private static final double MAX_LATENESS_MILLIS = 100;
    private static final double MAX_SLOWDOWN = 1.2;

    /** Built by the command. */
    private static final Path JAR = Path.of("cli/target/escapement.jar");

    private final EndpointsBenchmarkPlan plan;
    private final Path folder;
    private final DurablePostgres postgres;
    private final RecordingHttpServerProcess httpServer;
    private final ScenarioRunner scenarioRunner;
    private final TargetResults targetResults = new TargetResults();
    private int sqliteFiles;

    private EndpointsMain(
            EndpointsBenchmarkPlan plan, Path folder, DurablePostgres postgres, RecordingHttpServerProcess sink) {
        this.plan = plan;
        this.folder = folder;
        this.postgres = postgres;
        this.httpServer = sink;
        this.scenarioRunner = new ScenarioRunner(folder, sink);
    }

    /** Arguments: {@code --quick}, and the parts to measure; all parts if none is given. */
    public static void main(String[] args) throws Exception {
        List<String> wanted = List.of(args);
        Path folder = Files.createTempDirectory("escapement-endpoints");
        boolean good;
        try (DurablePostgres postgres = new DurablePostgres();
                RecordingHttpServerProcess sink = new RecordingHttpServerProcess(folder, 1)) {
            EndpointsBenchmarkPlan plan =
                    wanted.contains("--quick") ? EndpointsBenchmarkPlan.QUICK : EndpointsBenchmarkPlan.FULL;
            EndpointsMain main = new EndpointsMain(plan, folder, postgres, sink);
            good = main.run(
                    wanted.stream().filter(word -> !word.startsWith("--")).collect(Collectors.toSet()));
        }
        System.exit(good ? 0 : 1);
    }

    private boolean run(Set<String> parts) throws Exception {
        Console.printLoadAverage("Before", 2);
        Console.print("The sink, PostgreSQL (fsync on) and the measured scheduler run in processes of their own.");
        if (isSelected(parts, "defaults")) {
            checkFasterThanDbScheduler(
                    measureAll(plan.defaultsScenario()), "with 1,000 due at once and default settings");
        }
        if (isSelected(parts, "fast")) {
            checkFast(measureAll(plan.fastScenario()));
        }
        if (isSelected(parts, "slow")) {
            checkFasterThanDbScheduler(measureAll(plan.slowScenario()), "with 3,000 due at once and a slow sink");
        }
        if (isSelected(parts, "many")) {
            checkFasterThanDbScheduler(measureAll(plan.sustainedScenario()), "with many due at once");
        }
        if (isSelected(parts, "steady")) {
            checkSteady(measureAll(plan.steadyScenario()));
        }
        if (isSelected(parts, "idle")) {
            measureIdle();
        }
        if (isSelected(parts, "history")) {
            measureHistory("SQLite", newSqliteFile(), newSqliteFile());
            measureHistory("PostgreSQL", postgres.createDatabase(), postgres.createDatabase());
        }
        Console.print("%nTargets");
        targetResults.print();
        Console.printLoadAverage("After", 2);
        return targetResults.allHold();
    }

    private static boolean isSelected(Set<String> parts, String part) {
        return parts.isEmpty() || parts.contains(part);
    }

    /** The results of all schedulers in one scenario. */
    private record ScenarioResults(ScenarioResult sqlite, ScenarioResult postgres, List<ScenarioResult> peers) {}

    private ScenarioResults measureAll(EndpointsScenario scenario) throws Exception {
        Console.print(
                "%n%s (%d rounds, after %d warm-up rounds)", scenario.title(), scenario.rounds(), scenario.warmUp());
        Console.print("  Escapement and the plain loop: %s", scenario.limits());
        scenario.dbSchedulerVariants().forEach(peer -> Console.print("  db-scheduler, on PostgreSQL: %s", peer));
        Console.printLine(ScenarioResult.formatHeader());
        ScenarioResult loop = scenarioRunner.runPlainLoop(scenario);
        Console.printLine(loop.formatRow(loop));
        List<ScenarioResult> found = new ArrayList<>();
        found.add(scenarioRunner.runEscapement("Escapement, SQLite", scenario, this::newSqliteFile));
        Console.printLine(found.get(0).formatRow(loop));
        found.add(scenarioRunner.runEscapement("Escapement, PostgreSQL", scenario, postgres::createDatabase));
        Console.printLine(found.get(1).formatRow(loop));
        for (ScenarioResult outcome : found) {
            targetResults.check(
                    outcome.statistics().isExact(),
                    "%s: every call exactly once, %s".formatted(scenario.title(), outcome.scheduler()),
                    "%d missing, %d duplicate",
                    outcome.statistics().missing(),
                    outcome.statistics().duplicates());
        }
        List<ScenarioResult> peers = new ArrayList<>();
        for (DbSchedulerSettings settings : scenario.dbSchedulerVariants()) {
            ScenarioResult peer = scenarioRunner.runDbScheduler(scenario, settings, postgres::createDatabase);
            Console.printLine(peer.formatRow(loop));
            peers.add(peer);
        }
        return new ScenarioResults(found.get(0), found.get(1), peers);
    }

    private void checkFast(ScenarioResults found) {
        double rate = found.postgres().statistics().medianRate();
        targetResults.check(rate >= MIN_RATE, "at least 3,000 runs/s on PostgreSQL", "%,.0f", rate);
        checkFasterThanDbScheduler(found, "with 3,000 due at once");
    }

    private void checkFasterThanDbScheduler(ScenarioResults found, String when) {
        double ours = found.postgres().statistics().medianRate();
        double theirs = found.peers().stream()
                .mapToDouble(peer -> peer.statistics().medianRate())
                .max()
                .orElseThrow();
        targetResults.check(
                ours > theirs,
                "faster than db-scheduler " + when,
                "%,.0f and %,.0f runs/s, %.1f times",
                ours,
                theirs,
                ours / theirs);
    }

    private void checkSteady(ScenarioResults found) {
        double ours = found.postgres().statistics().latenessAt(99);
        double theirs = found.peers().stream()
                .mapToDouble(peer -> peer.statistics().latenessAt(99))
                .min()
                .orElseThrow();
        targetResults.check(
                ours < MAX_LATENESS_MILLIS, "p99 lateness below 100 ms at 1,000/s on PostgreSQL", "%.1f ms", ours);
        targetResults.check(
                found.sqlite().statistics().latenessAt(99) < MAX_LATENESS_MILLIS,
                "p99 lateness below 100 ms at 1,000/s on SQLite",
                "%.1f ms",
                found.sqlite().statistics().latenessAt(99));
        targetResults.check(
                ours < theirs, "smaller p99 lateness than db-scheduler at 1,000/s", "%.1f and %.1f ms", ours, theirs);
    }

    private void measureIdle() throws Exception {
        Console.print(
                "%nIdle: 1,000 endpoints, none due, %d s, default settings",
                plan.idleTime().toSeconds());
        Console.print(
                "  SQLite      %.1f SQL statements per minute",
                IdleSchedulerCost.measure(scenarioRunner, newSqliteFile(), plan.idleTime()));
        Console.print(
                "  PostgreSQL  %.1f SQL statements per minute",
                IdleSchedulerCost.measure(scenarioRunner, postgres.createDatabase(), plan.idleTime()));
        Console.print("  whole server, with lease renewal, lock recovery, cleanup and one scrape of its metrics:");
        Console.print(
                "  SQLite      %.1f SQL statements per minute",
                IdleServerCost.measure(JAR, folder, "", plan.idleTime()));
        Console.print(
                "  PostgreSQL  %.1f SQL statements per minute",
                IdleServerCost.measure(JAR, folder, postgres.createDatabase(), plan.idleTime()));
    }

    private void measureHistory(String name, String empty, String full) throws Exception {
        EndpointsScenario scenario = plan.historyScenario();
        Console.print(
                "%n%s: 3,000 due at once, alternately with %,d runs of history and with none",
                name, plan.historyRuns());
        LongHistoryComparison found =
                LongHistoryComparison.measure(scenarioRunner, httpServer, scenario, empty, full, plan.historyRuns());
        Console.print(
                "  none: %,.0f runs/s (%,.0f-%,.0f); %,d: %,.0f runs/s (%,.0f-%,.0f)",
                found.empty().medianRate(),
                found.empty().minRate(),
                found.empty().maxRate(),
                plan.historyRuns(),
                found.full().medianRate(),
                found.full().minRate(),
                found.full().maxRate());
        targetResults.check(
                found.ratio() <= MAX_SLOWDOWN
                        && found.full().isExact()
                        && found.empty().isExact(),
                "%s: at most 1.2 times as long with %,d runs of history".formatted(name, plan.historyRuns()),
                "%.2f times",
                found.ratio());
    }

    private String newSqliteFile() {
        return folder.resolve("sqlite-" + ++sqliteFiles + ".db").toString();
    }
}
