package dev.escapement.crashtests.standalone;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.crashtests.kit.CrashTestWait;
import dev.escapement.crashtests.kit.ServerProcess;
import dev.escapement.crashtests.kit.VerdictPrinter;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;

/** {@code dev/crash-test}: kills servers under load, then judges every promise. */
public final class StandaloneCrashTestMain {

    private static final String MARKER_EXECUTION = "the-last-one";
    private static final long COOLDOWN_MILLIS = 300;
    /** Longer than a busy machine may stall: a takeover by mistake would prove nothing. */
    private static final Duration LEASE = Duration.ofSeconds(8);

    private static final Duration MAX_SETTLE_TIME = Duration.ofMinutes(2);
    private static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);

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
            good &= test.runOnSqlite();
        }
        if (!args[2].equals("sqlite")) {
            good &= test.runOnPostgres();
        }
        System.exit(good ? 0 : 1);
    }

    private boolean runOnSqlite() throws Exception {
        return run("one server on SQLite", 1, Map.of());
    }

    private boolean runOnPostgres() throws Exception {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.builder()
                .setPGStartupWait(Duration.ofMinutes(1))
                .setServerConfig("max_connections", "100")
                .start()) {
            return run(
                    "two servers on one PostgreSQL",
                    2,
                    Map.of(
                            "ESCAPEMENT_DATABASE",
                            "jdbc:postgresql://127.0.0.1:" + postgres.getPort() + "/postgres",
                            "ESCAPEMENT_DATABASE_USER",
                            "postgres",
                            "ESCAPEMENT_DATABASE_PASSWORD",
                            "postgres",
                            "ESCAPEMENT_LEASE",
                            LEASE.toSeconds() + "s"));
        }
    }

    private boolean run(String title, int count, Map<String, String> database) throws Exception {
        OUT.printf("%n%s: %d kills, seed %d%n", title, kills, seed);
        Path folder = Files.createTempDirectory("escapement-crash");
        Path workflows = folder.resolve("workflows");
        WitnessFile witness = new WitnessFile(folder.resolve("witness"));
        WitnessFile.writeWorkflows(workflows);
        Map<String, String> environment = new TreeMap<>(database);
        environment.put("ESCAPEMENT_POLICY_COOLDOWN_PERIOD", COOLDOWN_MILLIS + "ms");
        environment.put("ESCAPEMENT_POLICY_BASE_COOLDOWN_PERIOD", "200ms");
        environment.put("ESCAPEMENT_POLICY_MAX_COOLDOWN_PERIOD", "2s");
        List<ServerProcess> servers = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                Path data = Files.createDirectories(folder.resolve("server-" + i));
                servers.add(ServerProcess.startJar(jar, data, workflows, environment));
            }
            StandaloneLoad load = new StandaloneLoad(servers, witness, seed);
            killAtRandom(servers);
            load.stop();
            Map<String, List<String>> verdict = StandaloneJudge.judge(
                    collectEvidence(new StandaloneApiClient(servers.get(0).port()), load, witness));
            return printReport(load, witness, verdict, folder);
        } finally {
            for (ServerProcess server : servers) {
                server.stop();
            }
        }
    }

    private void killAtRandom(List<ServerProcess> servers) throws IOException, InterruptedException, TimeoutException {
        SplittableRandom random = new SplittableRandom(seed);
        for (int kill = 1; kill <= kills; kill++) {
            CrashTestWait.sleep(Duration.ofMillis(random.nextInt(50, 1200)));
            ServerProcess victim = servers.get(random.nextInt(servers.size()));
            victim.kill();
            // Now and then so long that another server takes over, if there is one.
            if (servers.size() > 1 && random.nextInt(8) == 0) {
                CrashTestWait.sleep(LEASE.plusSeconds(2));
            }
            victim.restart();
            if (kill % 10 == 0 || kill == kills) {
                OUT.printf("  %d of %d kills%n", kill, kills);
            }
        }
    }

    /** Waits until every execution has finished by itself, then reads all state. */
    private static StandaloneEvidence collectEvidence(
            StandaloneApiClient client, StandaloneLoad load, WitnessFile witness)
            throws IOException, InterruptedException {
        long deadline = System.nanoTime() + MAX_SETTLE_TIME.toNanos();
        while (System.nanoTime() < deadline && isBusy(client)) {
            CrashTestWait.sleep(Duration.ofMillis(200));
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

    private static boolean isBusy(StandaloneApiClient client) throws IOException, InterruptedException {
        return !client.list("/api/v1/executions?phase=Pending").isEmpty()
                || !client.list("/api/v1/executions?phase=Running").isEmpty()
                || !client.list("/api/v1/targets?state=held").isEmpty();
    }

    private static boolean printReport(
            StandaloneLoad load, WitnessFile witness, Map<String, List<String>> verdict, Path folder)
            throws IOException {
        long begun = witness.read().stream()
                .filter(line -> line.event().equals("begin"))
                .count();
        OUT.printf(
                "%d requests acknowledged, %d runs began, %d cancelled, %d deleted, %d targets cleared%n",
                load.acknowledged.size(), begun, load.cancelled.get(), load.deleted.get(), load.cleared.get());
        boolean good = VerdictPrinter.print(verdict, OUT::println);
        if (!good) {
            OUT.println("  data and logs are kept in " + folder);
        }
        return good;
    }
}
