package dev.escapement.crashtests.endpoints;

import dev.escapement.crashtests.endpoints.EndpointsEvidence.TestSettings;
import dev.escapement.crashtests.kit.CrashTestWait;
import dev.escapement.crashtests.kit.DurablePostgres;
import dev.escapement.crashtests.kit.RecordedCall;
import dev.escapement.crashtests.kit.RecordingHttpServerProcess;
import dev.escapement.crashtests.kit.VerdictPrinter;
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

/**
 * {@code dev/endpoints-crash-test}: servers share endpoints, undisturbed and under kills; then judges every promise.
 */
public final class EndpointsCrashTestMain {

    private static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    private static final TestSettings SETTINGS = new TestSettings(
            Duration.ofSeconds(20), Duration.ofSeconds(8), Duration.ofSeconds(4), Duration.ofSeconds(10));
    private static final int PORT_COUNT = 8;
    private static final long RESPONSE_DELAY_MILLIS = 300;
    private static final int PAGE_SIZE = 500;

    private final int endpoints;
    private final int servers;
    private final int rounds;
    private final Path jar;

    private EndpointsCrashTestMain(int endpoints, int workers, int rounds, Path jar) {
        this.endpoints = endpoints;
        this.servers = workers;
        this.rounds = rounds;
        this.jar = jar;
    }

    /** Arguments: endpoints, servers, kills, seed, rounds, the program. */
    public static void main(String[] args) throws Exception {
        EndpointsCrashTestMain test = new EndpointsCrashTestMain(
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
                servers,
                endpoints,
                SETTINGS.interval().toSeconds(),
                kills == 0 ? "no kills" : kills + " kills, seed " + seed);
        Path folder = Files.createTempDirectory("escapement-endpoints-crash");
        try (DurablePostgres postgres = new DurablePostgres();
                RecordingHttpServerProcess sink = new RecordingHttpServerProcess(folder, PORT_COUNT)) {
            sink.setDelay(RESPONSE_DELAY_MILLIS);
            String url = postgres.createDatabase();
            ServerGroup cluster = new ServerGroup(jar, folder, servers, url, SETTINGS);
            Set<String> names;
            Instant until;
            try {
                names = cluster.addEndpoints(endpoints, sink.ports(), SETTINGS);
                if (kills > 0) {
                    CrashTestWait.sleep(SETTINGS.interval());
                    cluster.killAtRandom(kills, seed, EndpointsCrashTestMain::printProgress);
                }
                CrashTestWait.sleep(SETTINGS.interval().multipliedBy(rounds).plus(SETTINGS.tolerance()));
                until = Instant.now();
            } finally {
                cluster.stop();
            }
            List<FinishedRun> runs = readRuns(url);
            EndpointsEvidence evidence =
                    new EndpointsEvidence(names, sink.recordedCalls(), runs, SETTINGS, until, kills == 0);
            return printReport(evidence, EndpointsJudge.judge(evidence), folder);
        }
    }

    private static void printProgress(int kills) {
        if (kills % 10 == 0) {
            print("  %d kills", kills);
        }
    }

    private static List<FinishedRun> readRuns(String url) {
        List<FinishedRun> runs = new ArrayList<>();
        try (Database database = Database.openPostgres(url, "", SecretText.of(""))) {
            EndpointStore store = SqlEndpointStore.open(database, Integer.MAX_VALUE);
            Optional<String> token = Optional.of("");
            while (token.isPresent()) {
                Page<FinishedRun> page = store.listRuns(RunFilter.ALL, token.get(), PAGE_SIZE);
                runs.addAll(page.items());
                token = page.nextToken();
            }
        }
        return runs;
    }

    private static boolean printReport(EndpointsEvidence evidence, Map<String, List<String>> verdict, Path folder)
            throws IOException {
        long repeated =
                evidence.runs().stream().filter(run -> run.attempt() > 1).count();
        long missed = evidence.runs().stream().mapToLong(FinishedRun::missed).sum();
        print(
                "%,d runs recorded, %,d calls, %d runs took more than one attempt, %d slots recorded as missed",
                evidence.runs().size(), evidence.recordedCalls().size(), repeated, missed);
        print(
                "longest from a slot to its call %,d ms; longest from a call to its repeat %,d ms (a lease lasts %,d ms)",
                evidence.runs().stream()
                        .mapToLong(run -> run.lateness().toMillis())
                        .max()
                        .orElse(0),
                maxRepeatDelayMillis(evidence),
                SETTINGS.lease().toMillis());
        boolean good = VerdictPrinter.print(verdict, OUT::println);
        if (!evidence.withoutKills() && repeated == 0) {
            good = false;
            print("  EMPTY  no kill interrupted a run, so nothing is shown: more kills, or more endpoints");
        }
        if (!good) {
            print("  logs are kept in %s", folder);
        }
        return good;
    }

    private static long maxRepeatDelayMillis(EndpointsEvidence evidence) {
        return evidence.callsByKey().values().stream()
                .filter(calls -> calls.size() > 1)
                .mapToLong(EndpointsCrashTestMain::maxDelayMillis)
                .max()
                .orElse(0);
    }

    private static long maxDelayMillis(List<RecordedCall> calls) {
        long max = 0;
        for (int i = 1; i < calls.size(); i++) {
            max = Math.max(max, calls.get(i).epochMicros() - calls.get(i - 1).epochMicros());
        }
        return max / 1000;
    }

    private static void print(String format, Object... values) {
        OUT.println(String.format(Locale.ROOT, format, values));
    }
}
