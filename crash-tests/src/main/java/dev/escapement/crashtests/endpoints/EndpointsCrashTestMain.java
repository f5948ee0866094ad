package dev.escapement.crashtests.endpoints;

import dev.escapement.crashtests.endpoints.EndpointsEvidence.TestSettings;
import dev.escapement.crashtests.kit.Console;
import dev.escapement.crashtests.kit.DurablePostgres;
import dev.escapement.crashtests.kit.RawHttpClient;
import dev.escapement.crashtests.kit.RecordedCall;
import dev.escapement.crashtests.kit.RecordingHttpServerProcess;
import dev.escapement.crashtests.kit.ServerGroup;
import dev.escapement.crashtests.kit.Verdict;
import dev.escapement.endpoints.model.FinishedRun;
import dev.escapement.endpoints.store.EndpointStore;
import dev.escapement.endpoints.store.EndpointStore.RunFilter;
import dev.escapement.endpoints.store.SqlEndpointStore;
import dev.escapement.engine.port.ExecutionQueries.Page;
import dev.escapement.storage.Database;
import dev.escapement.storage.SecretText;
import dev.escapement.testkit.ConditionPoller;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The command {@code dev/endpoints-crash-test}: servers share endpoints, without and with kills; then checks every
 * promise.
 */
public final class EndpointsCrashTestMain {

    private static final TestSettings SETTINGS = new TestSettings(
            Duration.ofSeconds(20), Duration.ofSeconds(8), Duration.ofSeconds(4), Duration.ofSeconds(10));
    private static final int PORT_COUNT = 8;
    private static final long RESPONSE_DELAY_MILLIS = 300;
    private static final int PAGE_SIZE = 500;
    private static final int IMPORT_BATCHES = 40;

    private final int endpoints;
    private final int servers;
    private final int rounds;
    private final Path jar;

    private EndpointsCrashTestMain(int endpoints, int servers, int rounds, Path jar) {
        this.endpoints = endpoints;
        this.servers = servers;
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
        Console.print(
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
            Path workflows = Files.createDirectories(folder.resolve("workflows"));
            Set<String> names;
            Instant until;
            try (ServerGroup group = new ServerGroup(jar, folder, servers, workflows, environment(url))) {
                names = addEndpoints(group.ports(), sink.ports());
                if (kills > 0) {
                    ConditionPoller.sleep(SETTINGS.interval());
                    group.killAtRandom(kills, seed, 2_000, EndpointsCrashTestMain::drawDowntime);
                }
                ConditionPoller.sleep(SETTINGS.interval().multipliedBy(rounds).plus(SETTINGS.tolerance()));
                until = Instant.now();
            }
            List<FinishedRun> runs = readRuns(url);
            EndpointsEvidence evidence =
                    new EndpointsEvidence(names, sink.recordedCalls(), runs, SETTINGS, until, kills == 0);
            return printReport(evidence, EndpointsJudge.judge(evidence), folder);
        }
    }

    private static Map<String, String> environment(String url) {
        Map<String, String> environment = new TreeMap<>(DurablePostgres.serverEnvironment(url));
        environment.put("ESCAPEMENT_ENDPOINTS_ALLOW", "127.0.0.0/8");
        environment.put(
                "ESCAPEMENT_ENDPOINTS_LEASE_MARGIN", SETTINGS.leaseMargin().toMillis() + "ms");
        environment.put("ESCAPEMENT_LOG_LEVEL", "warn");
        return environment;
    }

    /** One in four killed servers stays down for 1 to 5 s. */
    private static Duration drawDowntime(SplittableRandom random) {
        return random.nextInt(4) == 0 ? Duration.ofMillis(random.nextInt(1_000, 5_000)) : Duration.ZERO;
    }

    /**
     * Adds endpoints through the API of all servers, spread over an interval, so that calls are in progress at any
     * time.
     *
     * @return the names of the acknowledged endpoints
     */
    private Set<String> addEndpoints(List<Integer> servers, List<Integer> sinkPorts) throws IOException {
        Set<String> names = new TreeSet<>();
        int batch = Math.max(1, endpoints / IMPORT_BATCHES);
        for (int from = 0; from < endpoints; from += batch) {
            List<Map<String, String>> items = new ArrayList<>();
            for (int i = from; i < Math.min(endpoints, from + batch); i++) {
                items.add(Map.of(
                        "name", "e" + i,
                        "url", "http://127.0.0.1:" + sinkPorts.get(i % sinkPorts.size()) + "/e" + i,
                        "timeout", SETTINGS.timeout().toMillis() + "ms",
                        "interval", SETTINGS.interval().toMillis() + "ms"));
                names.add("e" + i);
            }
            try (RawHttpClient http = new RawHttpClient(servers.get(from / batch % servers.size()))) {
                http.importEndpoints(items);
            }
            ConditionPoller.sleep(SETTINGS.interval().dividedBy(IMPORT_BATCHES));
        }
        return names;
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

    private static boolean printReport(EndpointsEvidence evidence, Verdict verdict, Path folder) throws IOException {
        long repeated =
                evidence.runs().stream().filter(run -> run.attempt() > 1).count();
        long missed = evidence.runs().stream().mapToLong(FinishedRun::missed).sum();
        Console.print(
                "%,d runs recorded, %,d calls, %d runs took more than one attempt, %d slots recorded as missed",
                evidence.runs().size(), evidence.recordedCalls().size(), repeated, missed);
        Console.print(
                "maximum delay from a slot to its call %,d ms, from a call to its repetition %,d ms (lease: %,d ms)",
                evidence.runs().stream()
                        .mapToLong(run -> run.lateness().toMillis())
                        .max()
                        .orElse(0),
                maxRepeatDelayMillis(evidence),
                SETTINGS.lease().toMillis());
        boolean good = verdict.print(Console::printLine);
        if (!evidence.withoutKills() && repeated == 0) {
            good = false;
            Console.print(
                    "  EMPTY  no kill interrupted a run, so nothing was tested: use more kills or more endpoints");
        }
        if (!good) {
            Console.print("  logs are kept in %s", folder);
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
}
