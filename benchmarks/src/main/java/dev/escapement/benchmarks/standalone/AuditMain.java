package dev.escapement.benchmarks.standalone;

import dev.escapement.benchmarks.kubernetes.ClusterAuditCost;
import dev.escapement.benchmarks.report.TargetResults;
import dev.escapement.crashtests.kit.Console;
import dev.escapement.crashtests.kit.DurablePostgres;
import dev.escapement.notifications.audit.AuditTrail;
import dev.escapement.notifications.audit.CheckpointStore;
import dev.escapement.notifications.audit.TrailVerifier;
import dev.escapement.storage.Database;
import dev.escapement.storage.SecretText;
import dev.escapement.testkit.cluster.ClusterBinaries;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The command {@code benchmarks/audit}: measures what the audit trail and notifications add to an execution. */
public final class AuditMain {

    private static final double MAX_ADDED_SHARE = 0.15;
    private static final double MAX_VERIFY_SECONDS_PER_MILLION = 10;

    private final boolean quick;
    private final Path folder;
    private final TargetResults targetResults = new TargetResults();

    private AuditMain(boolean quick, Path folder) {
        this.quick = quick;
        this.folder = folder;
    }

    /** Argument: {@code --quick} or none. Runs in the folder of the project. */
    public static void main(String[] args) throws Exception {
        Path folder = Files.createTempDirectory("escapement-bench");
        boolean good = new AuditMain(List.of(args).contains("--quick"), folder).run();
        System.exit(good ? 0 : 1);
    }

    private boolean run() throws Exception {
        Console.printLoadAverage("Before", 2);
        Path data = Files.createDirectories(folder.resolve("sqlite"));
        ExecutionThroughput executions = measureExecutions("SQLite", data, Map.of());
        try (Database database = Database.openSqlite(data.resolve("escapement.db"))) {
            measureCost("SQLite", database, executions);
        }
        try (Database database = Database.openSqlite(folder.resolve("trail.db"))) {
            measureTrail("SQLite", database);
        }
        try (DurablePostgres postgres = new DurablePostgres()) {
            measurePostgres(postgres);
        }
        ClusterBinaries binaries = ClusterBinaries.ofCurrentProcess();
        if (binaries.missing().isEmpty()) {
            new ClusterAuditCost(quick, folder, targetResults).measure(System.err::println);
        } else {
            Console.print("%nCluster: not measured. %s", binaries.missingMessage());
        }
        Console.printLoadAverage("After", 2);
        Console.print("%nTargets");
        targetResults.print();
        return targetResults.allHold();
    }

    private void measurePostgres(DurablePostgres postgres) throws Exception {
        Map<String, String> environment = DurablePostgres.serverEnvironment(postgres.createDatabase());
        Path data = Files.createDirectories(folder.resolve("postgres"));
        ExecutionThroughput executions = measureExecutions("PostgreSQL", data, environment);
        try (Database database = open(environment)) {
            measureCost("PostgreSQL", database, executions);
        }
        try (Database database = open(DurablePostgres.serverEnvironment(postgres.createDatabase()))) {
            measureTrail("PostgreSQL", database);
        }
    }

    private static Database open(Map<String, String> environment) {
        return Database.openPostgres(
                String.valueOf(environment.get("ESCAPEMENT_DATABASE")),
                String.valueOf(environment.get("ESCAPEMENT_DATABASE_USER")),
                SecretText.of(String.valueOf(environment.get("ESCAPEMENT_DATABASE_PASSWORD"))));
    }

    private ExecutionThroughput measureExecutions(String name, Path data, Map<String, String> environment)
            throws Exception {
        int parts = quick ? 1 : 3;
        int each = quick ? 500 : 5_000;
        Console.print("%n%s: %,d executions through REST, with runs that have no effect", name, parts * each);
        try (NoOpServerProcess server = new NoOpServerProcess(data, environment)) {
            ExecutionThroughput found = ExecutionThroughput.measure(server, parts, each);
            Console.print(
                    "  %.0f executions/s, %.2f SQL statements and %.2f write transactions per execution, with audit and"
                            + " notifications",
                    found.median(), found.statements(), found.transactions());
            return found;
        }
    }

    private void measureCost(String name, Database database, ExecutionThroughput executions) {
        AddedCost cost = AddedCost.measure(database);
        double whole = 1e6 / executions.median();
        Console.print(
                "  audit and notifications alone, per execution: %.1f records, %.3f SQL statements, %.4f write"
                        + " transactions, %.0f of %.0f microseconds; %,.0f records/s",
                cost.records(), cost.statements(), cost.transactions(), cost.micros(), whole, cost.recordsPerSecond());
        double share = cost.micros() / Math.max(1, whole - cost.micros());
        targetResults.check(
                share <= MAX_ADDED_SHARE,
                name + ": audit and notifications add at most 15 % to an execution",
                "%.1f %%",
                100 * share);
    }

    private void measureTrail(String name, Database database) {
        int records = quick ? 50_000 : 1_000_000;
        Console.print("%n%s: a trail of %,d records", name, records);
        double perSecond = TrailFiller.fill(database, records);
        Console.print("  %,.0f records/s from the journal to the trail", perSecond);
        TrailVerifier verifier =
                new TrailVerifier(new AuditTrail(database.backend()), new CheckpointStore(database.backend()));
        long start = System.nanoTime();
        TrailVerifier.Part result = verifier.verifyAll();
        double seconds = (System.nanoTime() - start) / 1e9;
        Console.print("  verified in %.1f s: %,.0f records/s", seconds, records / seconds);
        targetResults.check(
                result.verified() == records && result.problemCount() == 0,
                name + ": the trail is complete and valid",
                "%,d records, %d problems",
                result.verified(),
                result.problemCount());
        targetResults.check(
                seconds / records * 1e6 < MAX_VERIFY_SECONDS_PER_MILLION,
                name + ": a million records are verified in less than 10 s",
                "%.1f s",
                seconds / records * 1e6);
    }
}
