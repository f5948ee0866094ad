package dev.escapement.benchmarks.endpoints.crash;

import dev.escapement.benchmarks.endpoints.Arrival;
import dev.escapement.benchmarks.endpoints.Postgres;
import dev.escapement.benchmarks.endpoints.SinkProcess;
import dev.escapement.benchmarks.endpoints.crash.Evidence.Terms;
import dev.escapement.endpoints.model.FinishedRun;
import dev.escapement.endpoints.store.EndpointStore;
import dev.escapement.endpoints.store.EndpointStore.RunFilter;
import dev.escapement.endpoints.store.sql.SqlEndpointStore;
import dev.escapement.engine.port.ExecutionQueries.Page;
import dev.escapement.storage.Database;
import dev.escapement.storage.SecretText;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** {@code dev/endpoints-crash-test}: servers share endpoints, in peace and under kills; then a verdict. */
public final class EndpointsCrashMain {

    private static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    private static final Terms TERMS =
            new Terms(Duration.ofSeconds(20), Duration.ofSeconds(8), Duration.ofSeconds(4), Duration.ofSeconds(10));
    private static final int PORTS = 8;
    private static final long SINK_DELAY = 300;
    private static final int PAGE = 500;

    private final int endpoints;
    private final int workers;
    private final int rounds;
    private final Path jar;

    private EndpointsCrashMain(int endpoints, int workers, int rounds, Path jar) {
        this.endpoints = endpoints;
        this.workers = workers;
        this.rounds = rounds;
        this.jar = jar;
    }

    /** Arguments: endpoints, servers, kills, seed, rounds, the program. */
    public static void main(String[] args) throws Exception {
        EndpointsCrashMain test = new EndpointsCrashMain(
                Integer.parseInt(args[0]), Integer.parseInt(args[1]), Integer.parseInt(args[4]), Path.of(args[5]));
        int kills = Integer.parseInt(args[2]);
        boolean good = test.run(0, 0);
        if (kills > 0) {
            good &= test.run(kills, Long.parseLong(args[3]));
        }
        System.exit(good ? 0 : 1);
    }

    private boolean run(int kills, long seed) throws Exception {
        print(
                "%n%d servers on one PostgreSQL, %,d endpoints every %d s, %s",
                workers,
                endpoints,
                TERMS.interval().toSeconds(),
                kills == 0 ? "nobody is killed" : kills + " kills, seed " + seed);
        Path folder = Files.createTempDirectory("escapement-endpoints-crash");
        try (Postgres postgres = new Postgres();
                SinkProcess sink = new SinkProcess(folder, PORTS)) {
            sink.delay(SINK_DELAY);
            String url = postgres.fresh();
            Cluster cluster = new Cluster(jar, folder, workers, url, TERMS);
            Set<String> names;
            Instant until;
            try {
                names = cluster.add(endpoints, sink.ports(), TERMS);
                if (kills > 0) {
                    Pause.of(TERMS.interval());
                    cluster.killAtRandom(kills, seed, EndpointsCrashMain::tell);
                }
                Pause.of(TERMS.interval().multipliedBy(rounds).plus(TERMS.slack()));
                until = Instant.now();
            } finally {
                cluster.stop();
            }
            List<FinishedRun> runs = history(url);
            Evidence evidence = new Evidence(names, sink.arrivals(), runs, TERMS, until, kills == 0);
            return report(evidence, Judge.of(evidence), folder);
        }
    }

    private static void tell(int kills) {
        if (kills % 10 == 0) {
            print("  %d kills", kills);
        }
    }

    private static List<FinishedRun> history(String url) {
        List<FinishedRun> runs = new ArrayList<>();
        try (Database database = Database.openPostgres(url, "", SecretText.of(""))) {
            EndpointStore store = SqlEndpointStore.open(database, Integer.MAX_VALUE);
            Optional<String> token = Optional.of("");
            while (token.isPresent()) {
                Page<FinishedRun> page = store.listRuns(RunFilter.ALL, token.get(), PAGE);
                runs.addAll(page.items());
                token = page.nextToken();
            }
        }
        return runs;
    }

    private static boolean report(Evidence evidence, Map<String, List<String>> verdict, Path folder)
            throws IOException {
        long repeated =
                evidence.runs().stream().filter(run -> run.attempt() > 1).count();
        long missed = evidence.runs().stream().mapToLong(FinishedRun::missed).sum();
        print(
                "%,d runs recorded, %,d calls, %d runs took more than one attempt, %d slots recorded as missed",
                evidence.runs().size(), evidence.arrivals().size(), repeated, missed);
        print(
                "longest from a slot to its call %,d ms; longest from a call to its repeat %,d ms (a lease lasts %,d ms)",
                evidence.runs().stream()
                        .mapToLong(run -> run.lateness().toMillis())
                        .max()
                        .orElse(0),
                longestRepeat(evidence),
                TERMS.lease().toMillis());
        verdict.forEach((promise, broken) -> {
            print("  %-6s %s", broken.isEmpty() ? "kept" : "BROKEN", promise);
            broken.stream().limit(10).forEach(each -> print("           %s", each));
        });
        boolean good = verdict.values().stream().allMatch(List::isEmpty);
        if (!evidence.calm() && repeated == 0) {
            good = false;
            print("  EMPTY  no kill interrupted a run, so nothing is shown: more kills, or more endpoints");
        }
        if (!good) {
            print("  logs are left in %s", folder);
        }
        return good;
    }

    private static long longestRepeat(Evidence evidence) {
        return evidence.arrivalsByKey().values().stream()
                .filter(calls -> calls.size() > 1)
                .mapToLong(EndpointsCrashMain::longest)
                .max()
                .orElse(0);
    }

    private static long longest(List<Arrival> calls) {
        long most = 0;
        for (int i = 1; i < calls.size(); i++) {
            most = Math.max(most, calls.get(i).micros() - calls.get(i - 1).micros());
        }
        return most / 1000;
    }

    private static void print(String format, Object... values) {
        OUT.println(String.format(Locale.ROOT, format, values));
    }
}
