package dev.escapement.benchmarks.standalone;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** {@code benchmarks/standalone}: what the server costs, each number beside its limit. */
public final class StandaloneMain {

    private static final int MEGABYTE = 1 << 20;
    private static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);

    private final boolean quick;
    private final Path folder;
    private boolean allTargetsHold = true;

    private StandaloneMain(boolean quick, Path folder) {
        this.quick = quick;
        this.folder = folder;
    }

    /** Takes {@code --quick}; runs in the project's folder. */
    public static void main(String[] args) throws Exception {
        Path folder = Files.createTempDirectory("escapement-bench");
        boolean good = new StandaloneMain(List.of(args).contains("--quick"), folder).run();
        System.exit(good ? 0 : 1);
    }

    private boolean run() throws Exception {
        printLoadAverage("Before");
        measureSqlite();
        measurePostgres();
        measureLatency();
        measureStartUp();
        printLoadAverage("After");
        return allTargetsHold;
    }

    private static void printLoadAverage(String when) {
        print(
                "%s: load average %.1f on %d processors (our own share is about 2)",
                when,
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
                Runtime.getRuntime().availableProcessors());
    }

    private void measureSqlite() throws Exception {
        Path data = Files.createDirectories(folder.resolve("sqlite"));
        double limit =
                BareDatabaseWriter.sqlite(data.resolve("bare.db").toString()).measureRate(quick ? 2_000 : 10_000);
        measureThroughput("SQLite", data, Map.of(), limit);
    }

    private void measurePostgres() throws Exception {
        Path data = Files.createDirectories(folder.resolve("postgres"));
        try (EmbeddedPostgres postgres = EmbeddedPostgres.builder()
                .setPGStartupWait(Duration.ofMinutes(1))
                // Durable, as in production: the test library turns it off.
                .setServerConfig("fsync", "on")
                .setServerConfig("full_page_writes", "on")
                .setServerConfig("synchronous_commit", "on")
                .start()) {
            String url = "jdbc:postgresql://127.0.0.1:" + postgres.getPort() + "/postgres";
            String bare = url.replace("/postgres", "/bare") + "?user=postgres&password=postgres";
            try (Connection connection = postgres.getPostgresDatabase().getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("CREATE DATABASE bare");
            }
            double limit = BareDatabaseWriter.postgres(bare).measureRate(quick ? 2_000 : 10_000);
            measureThroughput(
                    "PostgreSQL",
                    data,
                    Map.of(
                            "ESCAPEMENT_DATABASE", url,
                            "ESCAPEMENT_DATABASE_USER", "postgres",
                            "ESCAPEMENT_DATABASE_PASSWORD", "postgres"),
                    limit);
        }
    }

    private void measureThroughput(String name, Path data, Map<String, String> environment, double limit)
            throws Exception {
        int parts = quick ? 2 : 10;
        int each = quick ? 1_000 : 10_000;
        print("%n%s: %,d executions through REST with runs that do nothing", name, parts * each);
        try (NoOpServerProcess server = new NoOpServerProcess(data, environment)) {
            ExecutionThroughput found = ExecutionThroughput.measure(server, parts, each);
            print(
                    "  %.0f executions/s (median of %d parts), %.0f %% of a program that only makes the same commits (%.0f/s)",
                    found.median(), parts, 100 * found.median() / limit, limit);
            print(
                    "  by part: %s",
                    found.rates().stream().map(rate -> "%.0f".formatted(rate)).toList());
            print("  %.2f SQL statements per execution", found.statements());
            long heap = found.heaps().get(parts - 1);
            checkTarget(
                    found.transactions() > 0 && found.transactions() <= 3.005,
                    "at most 3 write transactions per execution",
                    "%.2f",
                    found.transactions());
            checkTarget(
                    found.slowdown() <= 1.2,
                    "flat: the first part at most 1.2 times as fast as the last",
                    "%.2f",
                    found.slowdown());
            checkTarget(
                    heap < 256L * MEGABYTE,
                    "less than 256 MB of heap after all of them",
                    "%.1f MB",
                    (double) heap / MEGABYTE);
        }
    }

    private void measureLatency() throws Exception {
        print("%nFrom the request to the process that it starts, one after the other");
        StartLatency found = StartLatency.measure(
                Path.of("escapement").toAbsolutePath(),
                Files.createDirectories(folder.resolve("latency")),
                quick ? 40 : 300);
        print(
                "  p50 %.1f ms, p99 %.1f ms",
                found.server().at(50), found.server().at(99));
        print(
                "  the same process started directly: p50 %.1f ms, p99 %.1f ms; ratio of the medians %.1f",
                found.baseline().at(50),
                found.baseline().at(99),
                found.server().at(50) / found.baseline().at(50));
    }

    private void measureStartUp() throws Exception {
        print("%nFrom ./escapement up to ready");
        StartUpTime found = StartUpTime.measure(
                Path.of("escapement").toAbsolutePath(),
                Files.createDirectories(folder.resolve("start")),
                quick ? 2 : 9);
        print(
                "  median %.0f ms on a fresh folder, %.0f ms on an existing one; a bare JVM takes %.0f ms, ratio %.1f",
                found.fresh().at(50),
                found.existing().at(50),
                found.jvm().at(50),
                found.fresh().at(50) / found.jvm().at(50));
        checkTarget(
                found.fresh().at(50) < 2000,
                "ready in less than 2 s, fresh",
                "%.0f ms",
                found.fresh().at(50));
        checkTarget(
                found.existing().at(50) < 2000,
                "ready in less than 2 s, existing",
                "%.0f ms",
                found.existing().at(50));
    }

    private void checkTarget(boolean holds, String claim, String format, double found) {
        allTargetsHold &= holds;
        print("  %s  %s: " + format, holds ? "PASS" : "MISS", claim, found);
    }

    private static void print(String format, Object... values) {
        OUT.println(String.format(Locale.ROOT, format, values));
    }
}
