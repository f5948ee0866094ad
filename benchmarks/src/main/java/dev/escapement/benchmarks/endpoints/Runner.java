package dev.escapement.benchmarks.endpoints;

import dev.escapement.benchmarks.endpoints.Subject.Tally;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/** Has somebody do what a scenario asks, and reads at the sink what came of it. */
final class Runner {

    /** So late may calls be at the end of a steady load. */
    private static final Duration LATE = Duration.ofSeconds(5);

    private static final int TRIES = 5;

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

    /** Makes a new database. */
    interface Places {
        String fresh() throws SQLException;
    }

    Outcome loop(Scenario scenario) throws IOException, SQLException {
        return patiently("plain loop (the limit)", scenario, () -> "", place -> with(scenario.knobs(), "loop"));
    }

    Outcome peer(Scenario scenario, PeerKnobs knobs, Places places) throws IOException, SQLException {
        return patiently(
                "db-scheduler, %d threads".formatted(knobs.threads()),
                scenario,
                places,
                place -> List.of("peer", place, knobs.write()));
    }

    Outcome escapement(String who, Scenario scenario, Places places) throws IOException, SQLException {
        return patiently(who, scenario, places, place -> with(scenario.knobs(), place));
    }

    static List<String> with(Knobs knobs, String what) {
        return List.of(what, Integer.toString(knobs.concurrency()), Integer.toString(knobs.perHost()));
    }

    /** Who is not ready in time gets more of it, and another database. */
    private Outcome patiently(String who, Scenario scenario, Places places, Function<String, List<String>> arguments)
            throws IOException, SQLException {
        Duration preparing = Duration.ofSeconds(3).plusMillis(scenario.count());
        for (int tries = 1; tries <= TRIES; tries++) {
            String place = places.fresh();
            Optional<Outcome> outcome = run(who, scenario, place, arguments.apply(place), preparing);
            if (outcome.isPresent()) {
                return outcome.get();
            }
            preparing = preparing.multipliedBy(2);
        }
        throw new IOException(who + " was never ready when the first call was due: the machine is too busy");
    }

    private Optional<Outcome> run(
            String who, Scenario scenario, String place, List<String> arguments, Duration preparing)
            throws IOException, SQLException {
        boolean postgres = place.startsWith("jdbc:");
        sink.clear();
        sink.delay(scenario.delay().toMillis());
        try (Child child = start(arguments)) {
            Timetable timetable = scenario.timetable(Instant.now().plus(preparing), 0, sink.ports());
            Tally before = Tally.read(child.order("begin " + timetable.write()));
            if (Instant.now().isAfter(timetable.first())) {
                return Optional.empty();
            }
            long cpuBefore = child.cpuNanos();
            long commitsBefore = postgres ? Postgres.commits(place) : 0;
            awaitLast(child, timetable, scenario);
            Tally did = Tally.read(child.order("tally")).since(before);
            double cpu = child.cpuNanos() - cpuBefore;
            double commits = postgres ? Postgres.commits(place) - commitsBefore : Double.NaN;
            List<Arrival> arrivals = sink.arrivals();
            Figures figures = Figures.of(arrivals, timetable, scenario.warmUp() + 1L, scenario.lastRound());
            long last = arrivals.stream().mapToLong(Arrival::micros).max().orElse(0);
            double runs = Math.max(1, did.recorded());
            return Optional.of(new Outcome(
                    who,
                    figures,
                    did.statements() < 0 ? Double.NaN : did.statements() / runs,
                    commits / runs,
                    cpu / 1e3 / runs,
                    (did.lastRecordedMicros() - last) / 1e3 - scenario.delay().toMillis()));
        }
    }

    /** Until everything of the last round is written down, but no longer than until the next. */
    private static void awaitLast(Child child, Timetable timetable, Scenario scenario) throws IOException {
        Instant end = timetable.slot(timetable.count() - 1, scenario.lastRound());
        pause(Duration.between(Instant.now(), end));
        if (!timetable.spacing().isZero()) {
            // The next round has begun already, so counting does not tell when this one is over.
            pause(LATE);
            return;
        }
        Instant latest = timetable.slot(0, scenario.lastRound() + 1).minusMillis(20);
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
