package dev.escapement.benchmarks.endpoints;

import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** {@code benchmarks/endpoints}: what the scheduler of endpoints can do, measured at the sink. */
public final class EndpointsMain {

    private static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    private static final double LEAST_RATE = 3_000;
    private static final double MOST_LATE = 100;
    private static final double FLAT = 1.2;

    /** Where the command that starts this has built it. */
    private static final Path JAR = Path.of("server/target/escapement.jar");

    private final Plan plan;
    private final Path folder;
    private final Postgres postgres;
    private final SinkProcess sink;
    private final Runner runner;
    private final Verdicts verdicts = new Verdicts();
    private int files;

    private EndpointsMain(Plan plan, Path folder, Postgres postgres, SinkProcess sink) {
        this.plan = plan;
        this.folder = folder;
        this.postgres = postgres;
        this.sink = sink;
        this.runner = new Runner(folder, sink);
    }

    /** Takes {@code --quick}, and the parts to measure: all if none is named. */
    public static void main(String[] args) throws Exception {
        List<String> wanted = List.of(args);
        Path folder = Files.createTempDirectory("escapement-endpoints");
        boolean good;
        try (Postgres postgres = new Postgres();
                SinkProcess sink = new SinkProcess(folder, 1)) {
            Plan plan = wanted.contains("--quick") ? Plan.QUICK : Plan.FULL;
            EndpointsMain main = new EndpointsMain(plan, folder, postgres, sink);
            good = main.run(
                    wanted.stream().filter(word -> !word.startsWith("--")).collect(Collectors.toSet()));
        }
        System.exit(good ? 0 : 1);
    }

    private boolean run(Set<String> parts) throws Exception {
        load("Before");
        print("Everyone in a process of its own: the sink, PostgreSQL (fsync on), and whoever makes the calls.");
        if (isWanted(parts, "defaults")) {
            judgeAhead(all(plan.defaults()), "with 1,000 due at once and default settings");
        }
        if (isWanted(parts, "fast")) {
            judgeFast(all(plan.fast()));
        }
        if (isWanted(parts, "slow")) {
            judgeAhead(all(plan.slow()), "with 3,000 due at once and a slow sink");
        }
        if (isWanted(parts, "many")) {
            judgeAhead(all(plan.longer()), "with many due at once");
        }
        if (isWanted(parts, "steady")) {
            judgeSteady(all(plan.steadily()));
        }
        if (isWanted(parts, "idle")) {
            idle();
        }
        if (isWanted(parts, "history")) {
            history("SQLite", file(), file());
            history("PostgreSQL", postgres.fresh(), postgres.fresh());
        }
        print("%nTargets");
        verdicts.lines().forEach(OUT::println);
        load("After");
        return verdicts.isGood();
    }

    private static boolean isWanted(Set<String> parts, String part) {
        return parts.isEmpty() || parts.contains(part);
    }

    /** What everybody made of it. */
    private record Outcomes(Outcome sqlite, Outcome postgres, List<Outcome> peers) {}

    private Outcomes all(Scenario scenario) throws Exception {
        print("%n%s (%d rounds, after %d to warm up)", scenario.title(), scenario.rounds(), scenario.warmUp());
        print("  Escapement and the loop: %s", scenario.knobs());
        scenario.peers().forEach(peer -> print("  db-scheduler, on PostgreSQL: %s", peer));
        OUT.println(Outcome.head());
        Outcome loop = runner.loop(scenario);
        OUT.println(loop.line(loop));
        List<Outcome> found = new ArrayList<>();
        found.add(runner.escapement("Escapement, SQLite", scenario, this::file));
        OUT.println(found.get(0).line(loop));
        found.add(runner.escapement("Escapement, PostgreSQL", scenario, postgres::fresh));
        OUT.println(found.get(1).line(loop));
        for (Outcome outcome : found) {
            verdicts.judge(
                    outcome.figures().isExact(),
                    "%s: every call once, %s".formatted(scenario.title(), outcome.who()),
                    "%d missing, %d twice",
                    outcome.figures().missing(),
                    outcome.figures().twice());
        }
        List<Outcome> peers = new ArrayList<>();
        for (PeerKnobs knobs : scenario.peers()) {
            Outcome peer = runner.peer(scenario, knobs, postgres::fresh);
            OUT.println(peer.line(loop));
            peers.add(peer);
        }
        return new Outcomes(found.get(0), found.get(1), peers);
    }

    private void judgeFast(Outcomes found) {
        double rate = found.postgres().figures().median();
        verdicts.judge(rate >= LEAST_RATE, "at least 3,000 runs/s on PostgreSQL", "%,.0f", rate);
        judgeAhead(found, "with 3,000 due at once");
    }

    private void judgeAhead(Outcomes found, String when) {
        double ours = found.postgres().figures().median();
        double theirs = found.peers().stream()
                .mapToDouble(peer -> peer.figures().median())
                .max()
                .orElseThrow();
        verdicts.judge(
                ours > theirs,
                "ahead of db-scheduler " + when,
                "%,.0f against %,.0f runs/s, %.1f times",
                ours,
                theirs,
                ours / theirs);
    }

    private void judgeSteady(Outcomes found) {
        double ours = found.postgres().figures().late(99);
        double theirs = found.peers().stream()
                .mapToDouble(peer -> peer.figures().late(99))
                .min()
                .orElseThrow();
        verdicts.judge(ours < MOST_LATE, "p99 less than 100 ms late at 1,000/s on PostgreSQL", "%.1f ms", ours);
        verdicts.judge(
                found.sqlite().figures().late(99) < MOST_LATE,
                "p99 less than 100 ms late at 1,000/s on SQLite",
                "%.1f ms",
                found.sqlite().figures().late(99));
        verdicts.judge(
                ours < theirs, "less late than db-scheduler at 1,000/s", "p99 %.1f against %.1f ms", ours, theirs);
    }

    private void idle() throws Exception {
        print(
                "%nIdle: 1,000 endpoints, none due, %d s, default settings",
                plan.idle().toSeconds());
        print("  SQLite      %.1f SQL statements per minute", Idle.measure(runner, file(), plan.idle()));
        print("  PostgreSQL  %.1f SQL statements per minute", Idle.measure(runner, postgres.fresh(), plan.idle()));
        print("  of the whole server, with its lease, its healing, its tidying up and one look at its metrics:");
        print("  SQLite      %.1f SQL statements per minute", IdleServer.measure(JAR, folder, "", plan.idle()));
        print(
                "  PostgreSQL  %.1f SQL statements per minute",
                IdleServer.measure(JAR, folder, postgres.fresh(), plan.idle()));
    }

    private void history(String name, String empty, String full) throws Exception {
        Scenario scenario = plan.withHistory();
        print("%n%s: 3,000 due at once with %,d runs of history, and with none, in turn", name, plan.history());
        LongHistory found = LongHistory.measure(runner, sink, scenario, empty, full, plan.history());
        print(
                "  none: %,.0f runs/s (%,.0f-%,.0f); %,d: %,.0f runs/s (%,.0f-%,.0f)",
                found.empty().median(),
                found.empty().slowest(),
                found.empty().fastest(),
                plan.history(),
                found.full().median(),
                found.full().slowest(),
                found.full().fastest());
        verdicts.judge(
                found.ratio() <= FLAT && found.full().isExact() && found.empty().isExact(),
                "flat on %s: at most 1.2 times as long with %,d runs of history".formatted(name, plan.history()),
                "%.2f times",
                found.ratio());
    }

    private String file() {
        return folder.resolve("sqlite-" + ++files + ".db").toString();
    }

    private static void load(String when) {
        print(
                "%s: load average %.1f on %d processors (our own share is about 2)",
                when,
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
                Runtime.getRuntime().availableProcessors());
    }

    private static void print(String format, Object... values) {
        OUT.println(String.format(Locale.ROOT, format, values));
    }
}
