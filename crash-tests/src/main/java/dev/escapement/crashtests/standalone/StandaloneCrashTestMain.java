package dev.escapement.crashtests.standalone;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.crashtests.kit.Console;
import dev.escapement.crashtests.kit.DurablePostgres;
import dev.escapement.crashtests.kit.EscapementApiClient;
import dev.escapement.crashtests.kit.ServerGroup;
import dev.escapement.crashtests.kit.UnreliableReceiver;
import dev.escapement.crashtests.kit.Verdict;
import dev.escapement.testkit.ConditionPoller;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;

/** The command {@code dev/crash-test}: kills servers under load, then checks every promise. */
public final class StandaloneCrashTestMain {

    private static final String MARKER_EXECUTION = "end-marker";
    private static final String END_EXECUTION = "end-of-journal";
    private static final long COOLDOWN_MILLIS = 300;
    /** Longer than a busy machine may stall, so that no server loses its lease without a kill. */
    private static final Duration LEASE = Duration.ofSeconds(8);

    private static final Duration MAX_SETTLE_TIME = Duration.ofMinutes(2);
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(20);

    private final int kills;
    private final long seed;
    private final Path jar;

    private StandaloneCrashTestMain(int kills, long seed, Path jar) {
        this.kills = kills;
        this.seed = seed;
        this.jar = jar;
    }

    /** Arguments: kills, seed, {@code sqlite}, {@code postgres} or {@code both}, the program. */
    public static void main(String[] args) throws Exception {
        StandaloneCrashTestMain test =
                new StandaloneCrashTestMain(Integer.parseInt(args[0]), Long.parseLong(args[1]), Path.of(args[3]));
        boolean good = true;
        if (!args[2].equals("postgres")) {
            good &= test.run("one server on SQLite", 1, Map.of());
        }
        if (!args[2].equals("sqlite")) {
            good &= test.runOnPostgres();
        }
        System.exit(good ? 0 : 1);
    }

    private boolean runOnPostgres() throws Exception {
        try (DurablePostgres postgres = new DurablePostgres()) {
            Map<String, String> environment =
                    new TreeMap<>(DurablePostgres.serverEnvironment(postgres.createDatabase()));
            environment.put("ESCAPEMENT_LEASE", LEASE.toSeconds() + "s");
            return run("two servers on one PostgreSQL", 2, environment);
        }
    }

    private boolean run(String title, int count, Map<String, String> database) throws Exception {
        Console.print("%n%s: %d kills, seed %d", title, kills, seed);
        Path folder = Files.createTempDirectory("escapement-crash");
        Path workflows = folder.resolve("workflows");
        WitnessFile witness = new WitnessFile(folder.resolve("witness"));
        WitnessFile.writeWorkflows(workflows);
        Map<String, String> environment = new TreeMap<>(database);
        environment.put("ESCAPEMENT_POLICY_COOLDOWN_PERIOD", COOLDOWN_MILLIS + "ms");
        environment.put("ESCAPEMENT_POLICY_BASE_COOLDOWN_PERIOD", "200ms");
        environment.put("ESCAPEMENT_POLICY_MAX_COOLDOWN_PERIOD", "2s");
        try (UnreliableReceiver receiver = new UnreliableReceiver(seed);
                ServerGroup servers = startServers(count, folder, workflows, environment, receiver)) {
            List<EscapementApiClient> clients = servers.ports().stream()
                    .map(port -> new EscapementApiClient(port, "crash-test", REQUEST_TIMEOUT))
                    .toList();
            StandaloneLoad load = new StandaloneLoad(clients, witness, seed);
            // One in eight kills lasts until the lease has expired and another server takes over, if there is one.
            servers.killAtRandom(
                    kills,
                    seed,
                    1200,
                    random -> count > 1 && random.nextInt(8) == 0 ? LEASE.plusSeconds(2) : Duration.ZERO);
            load.stop();
            receiver.repair();
            StandaloneEvidence evidence = collectEvidence(clients.get(0), load, witness);
            Map<String, List<String>> violations =
                    new LinkedHashMap<>(StandaloneJudge.judge(evidence).violations());
            DeliveryEvidence delivered = awaitDeliveries(clients.get(0), receiver);
            violations.putAll(new DeliveryJudge(delivered).checkPromises());
            Console.print(
                    "%d audit records, %d notifications, %d requests to their receivers were not confirmed",
                    delivered.trail().size(), delivered.notifications().size(), receiver.disturbed());
            Verdict verdict = new Verdict(violations);
            return printReport(load, witness, verdict, folder);
        }
    }

    private ServerGroup startServers(
            int count, Path folder, Path workflows, Map<String, String> environment, UnreliableReceiver receiver)
            throws IOException, TimeoutException {
        Map<String, String> all = new TreeMap<>(environment);
        all.putAll(receiver.senderEnvironment(folder));
        return new ServerGroup(jar, folder, count, workflows, all);
    }

    /** Waits until everything was delivered, or for a long time; then reads what there is. */
    private static DeliveryEvidence awaitDeliveries(EscapementApiClient client, UnreliableReceiver receiver)
            throws IOException, InterruptedException {
        // Its failure is included: its notification may be counted in the same summary as earlier ones.
        client.create(END_EXECUTION, "missing", "node/end", Map.of());
        List<JsonNode> transitions = client.readJournalUntilFailureOf(END_EXECUTION);
        long deadline = System.nanoTime() + MAX_SETTLE_TIME.toNanos();
        receiver.awaitQuiet(MAX_SETTLE_TIME);
        DeliveryEvidence evidence = readDeliveries(client, transitions, receiver);
        while (System.nanoTime() < deadline && !evidence.isEverythingDelivered()) {
            receiver.awaitQuiet(MAX_SETTLE_TIME);
            evidence = readDeliveries(client, transitions, receiver);
        }
        return evidence;
    }

    private static DeliveryEvidence readDeliveries(
            EscapementApiClient client, List<JsonNode> transitions, UnreliableReceiver receiver)
            throws IOException, InterruptedException {
        List<JsonNode> trail = new ArrayList<>();
        JsonNode page;
        do {
            page = client.get("/api/v1/audit/export?after=" + trail.size()).path("items");
            page.forEach(trail::add);
        } while (!page.isEmpty());
        return new DeliveryEvidence(
                transitions,
                trail,
                client.get("/api/v1/audit/verification"),
                receiver.records(),
                client.list("/api/v1/notifications?limit=500"),
                receiver.webhookIds());
    }

    /** Waits until every execution has finished without help, then reads all state. */
    private static StandaloneEvidence collectEvidence(
            EscapementApiClient client, StandaloneLoad load, WitnessFile witness)
            throws IOException, InterruptedException {
        long deadline = System.nanoTime() + MAX_SETTLE_TIME.toNanos();
        while (System.nanoTime() < deadline && isBusy(client)) {
            ConditionPoller.sleep(Duration.ofMillis(200));
        }
        List<String> held = client.list("/api/v1/targets?state=held").stream()
                .map(target -> target.path("spec").path("targetResource").asText())
                .toList();
        Map<String, JsonNode> executions = new TreeMap<>();
        for (JsonNode document : client.list("/api/v1/executions?limit=500")) {
            executions.put(document.path("metadata").path("name").asText(), document);
        }
        client.create(MARKER_EXECUTION, "missing", "node/marker", Map.of());
        return new StandaloneEvidence(
                load.acknowledged,
                executions,
                client.readJournalUntil(MARKER_EXECUTION),
                witness.read(),
                held,
                COOLDOWN_MILLIS);
    }

    private static boolean isBusy(EscapementApiClient client) throws IOException, InterruptedException {
        return !client.list("/api/v1/executions?phase=Pending").isEmpty()
                || !client.list("/api/v1/executions?phase=Running").isEmpty()
                || !client.list("/api/v1/targets?state=held").isEmpty();
    }

    private static boolean printReport(StandaloneLoad load, WitnessFile witness, Verdict verdict, Path folder)
            throws IOException {
        long started = witness.read().stream()
                .filter(line -> line.event().equals("begin"))
                .count();
        Console.print(
                "%d requests acknowledged, %d runs started, %d cancelled, %d deleted, %d targets cleared",
                load.acknowledged.size(), started, load.cancelled.get(), load.deleted.get(), load.cleared.get());
        boolean good = verdict.print(Console::printLine);
        if (!good) {
            Console.print("  data and logs are kept in %s", folder);
        }
        return good;
    }
}
