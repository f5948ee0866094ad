package dev.escapement.benchmarks.endpoints;

import dev.escapement.benchmarks.endpoints.Subject.Tally;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Has somebody do what a scenario asks, and reads at the sink what came of it. */
final class Runner {

    /** After the last round is over, so long for those who are late. */
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final Path folder;
    private final SinkProcess sink;

    Runner(Path folder, SinkProcess sink) {
        this.folder = folder;
        this.sink = sink;
    }

    /** A process that makes calls. */
    Child start(List<String> arguments) throws IOException {
        Child child = new Child(SubjectMain.class, folder.resolve("subject.log"), arguments);
        child.hear();
        return child;
    }

    Outcome loop(Scenario scenario) throws IOException, SQLException {
        return run("plain loop (the limit)", scenario, "", with(scenario.knobs(), "loop"));
    }

    Outcome peer(Scenario scenario, String url) throws IOException, SQLException {
        return run(
                "db-scheduler, PostgreSQL",
                scenario,
                url,
                List.of("peer", url, scenario.peer().write()));
    }

    Outcome escapement(String who, Scenario scenario, String place) throws IOException, SQLException {
        return run(who, scenario, place.startsWith("jdbc:") ? place : "", with(scenario.knobs(), place));
    }

    static List<String> with(Knobs knobs, String what) {
        return List.of(what, Integer.toString(knobs.concurrency()), Integer.toString(knobs.perHost()));
    }

    private Outcome run(String who, Scenario scenario, String postgres, List<String> arguments)
            throws IOException, SQLException {
        sink.clear();
        sink.delay(scenario.delay().toMillis());
        try (Child child = start(arguments)) {
            Timetable timetable = scenario.timetable(Instant.now(), 0, sink.ports());
            Tally before = Tally.read(child.order("begin " + timetable.write()));
            if (Instant.now().isAfter(timetable.first())) {
                throw new IOException(who + " was not ready when the first call was due: the machine is too busy");
            }
            long cpuBefore = child.cpuNanos();
            long commitsBefore = postgres.isEmpty() ? 0 : Postgres.commits(postgres);
            awaitLast(child, timetable, scenario);
            Tally did = Tally.read(child.order("tally")).since(before);
            double cpu = child.cpuNanos() - cpuBefore;
            double commits = postgres.isEmpty() ? Double.NaN : Postgres.commits(postgres) - commitsBefore;
            List<Arrival> arrivals = sink.arrivals();
            Figures figures = Figures.of(arrivals, timetable, scenario.warmUp() + 1L, scenario.lastRound());
            long last = arrivals.stream().mapToLong(Arrival::micros).max().orElse(0);
            double runs = Math.max(1, did.recorded());
            return new Outcome(
                    who,
                    figures,
                    did.statements() < 0 ? Double.NaN : did.statements() / runs,
                    commits / runs,
                    cpu / 1e3 / runs,
                    (did.lastRecordedMicros() - last) / 1e3 - scenario.delay().toMillis());
        }
    }

    /** Until everything of the last round is written down, but no longer than patience, or the next round, allows. */
    private static void awaitLast(Child child, Timetable timetable, Scenario scenario) throws IOException {
        Instant end = timetable.slot(timetable.count() - 1, scenario.lastRound());
        pause(Duration.between(Instant.now(), end));
        Instant latest = end.plus(PATIENCE);
        Instant nextRound = timetable.slot(0, scenario.lastRound() + 1);
        if (nextRound.isAfter(end)) {
            latest = nextRound.minusMillis(20);
        }
        long expected = timetable.count() * scenario.lastRound();
        while (Tally.read(child.order("tally")).recorded() < expected
                && Instant.now().isBefore(latest)) {
            pause(Duration.ofMillis(5));
        }
    }

    static void pause(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
