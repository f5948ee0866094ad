package dev.escapement.benchmarks.standalone;

import dev.escapement.benchmarks.report.TargetResults;
import dev.escapement.crashtests.kit.Console;
import dev.escapement.crashtests.kit.DurablePostgres;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The command {@code benchmarks/standalone}: measures the standalone server and its upper limits. */
public final class StandaloneMain {

    private static final int MEGABYTE = 1 << 20;

    private final boolean quick;
    private final Path folder;
    private final TargetResults targetResults = new TargetResults();

    private StandaloneMain(boolean quick, Path folder) {
        this.quick = quick;
        this.folder = folder;
    }

    /** Argument: {@code --quick} or none. Runs in the folder of the project. */
    public static void main(String[] args) throws Exception {
        Path folder = Files.createTempDirectory("escapement-bench");
        boolean good = new StandaloneMain(List.of(args).contains("--quick"), folder).run();
        System.exit(good ? 0 : 1);
    }

    private boolean run() throws Exception {
        Console.printLoadAverage("Before", 2);
        measureSqlite();
        measurePostgres();
        measureLatency();
        measureStartUp();
        Console.printLoadAverage("After", 2);
        Console.print("%nTargets");
        targetResults.print();
        return targetResults.allHold();
    }

    private void measureSqlite() throws Exception {
        Path data = Files.createDirectories(folder.resolve("sqlite"));
        double limit =
                BareDatabaseWriter.sqlite(data.resolve("bare.db").toString()).measureRate(quick ? 2_000 : 10_000);
        measureThroughput("SQLite", data, Map.of(), limit);
    }

    private void measurePostgres() throws Exception {
        Path data = Files.createDirectories(folder.resolve("postgres"));
        try (DurablePostgres postgres = new DurablePostgres()) {
            double limit =
                    BareDatabaseWriter.postgres(postgres.createDatabase()).measureRate(quick ? 2_000 : 10_000);
            measureThroughput("PostgreSQL", data, DurablePostgres.serverEnvironment(postgres.createDatabase()), limit);
        }
    }

    private void measureThroughput(String name, Path data, Map<String, String> environment, double limit)
            throws Exception {
        int parts = quick ? 2 : 10;
        int each = quick ? 1_000 : 10_000;
        Console.print("%n%s: %,d executions through REST, with runs that have no effect", name, parts * each);
        try (NoOpServerProcess server = new NoOpServerProcess(data, environment)) {
            ExecutionThroughput found = ExecutionThroughput.measure(server, parts, each);
            Console.print(
                    "  %.0f executions/s (median of %d parts), %.0f %% of a program that only makes the same commits (%.0f/s)",
                    found.median(), parts, 100 * found.median() / limit, limit);
            Console.print(
                    "  by part: %s",
                    found.rates().stream().map(rate -> "%.0f".formatted(rate)).toList());
            Console.print("  %.2f SQL statements per execution", found.statements());
            long heap = found.heaps().get(parts - 1);
            targetResults.check(
                    found.transactions() > 0 && found.transactions() <= 3.005,
                    name + ": at most 3 write transactions per execution",
                    "%.2f",
                    found.transactions());
            targetResults.check(
                    found.slowdown() <= 1.2,
                    name + ": the first part at most 1.2 times as fast as the last",
                    "%.2f",
                    found.slowdown());
            targetResults.check(
                    heap < 256L * MEGABYTE,
                    name + ": less than 256 MB of heap at the end",
                    "%.1f MB",
                    (double) heap / MEGABYTE);
        }
    }

    private void measureLatency() throws Exception {
        Console.print("%nTime from the request to the start of its process, one after the other");
        StartLatency found = StartLatency.measure(
                Path.of("escapement").toAbsolutePath(),
                Files.createDirectories(folder.resolve("latency")),
                quick ? 40 : 300);
        Console.print(
                "  p50 %.1f ms, p99 %.1f ms",
                found.server().at(50), found.server().at(99));
        Console.print(
                "  the same process started directly: p50 %.1f ms, p99 %.1f ms; ratio of the medians %.1f",
                found.baseline().at(50),
                found.baseline().at(99),
                found.server().at(50) / found.baseline().at(50));
    }

    private void measureStartUp() throws Exception {
        Console.print("%nTime from ./escapement up until ready");
        StartUpTime found = StartUpTime.measure(
                Path.of("escapement").toAbsolutePath(),
                Files.createDirectories(folder.resolve("start")),
                quick ? 2 : 9);
        Console.print(
                "  median %.0f ms with an empty folder, %.0f ms with an existing one; a bare JVM takes %.0f ms, ratio %.1f",
                found.empty().at(50),
                found.existing().at(50),
                found.jvm().at(50),
                found.empty().at(50) / found.jvm().at(50));
        targetResults.check(
                found.empty().at(50) < 2000,
                "ready in less than 2 s, empty folder",
                "%.0f ms",
                found.empty().at(50));
        targetResults.check(
                found.existing().at(50) < 2000,
                "ready in less than 2 s, existing folder",
                "%.0f ms",
                found.existing().at(50));
    }
}
