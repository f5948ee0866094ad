package dev.escapement.benchmarks.endpoints;

import dev.escapement.benchmarks.endpoints.MeasuredScheduler.Counters;
import dev.escapement.crashtests.kit.ChildJvm;
import dev.escapement.crashtests.kit.DurablePostgres;
import dev.escapement.crashtests.kit.RecordedCall;
import dev.escapement.crashtests.kit.RecordingHttpServerProcess;
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
final class ScenarioRunner {

    /** So late may calls be at the end of a steady load. */
    private static final Duration MAX_LATENESS = Duration.ofSeconds(5);

    private static final int MAX_TRIES = 5;

    private final Path folder;
    private final RecordingHttpServerProcess httpServer;

    ScenarioRunner(Path folder, RecordingHttpServerProcess sink) {
        this.folder = folder;
        this.httpServer = sink;
    }

    /** A process that makes calls. */
    ChildJvm startScheduler(List<String> arguments) throws IOException {
        ChildJvm child = new ChildJvm(MeasuredSchedulerMain.class, folder.resolve("subject.log"), arguments);
        child.readLine();
        return child;
    }

    /** Makes a new database. */
    interface DatabaseFactory {
        String create() throws SQLException;
    }

    ScenarioResult runPlainLoop(EndpointsScenario scenario) throws IOException, SQLException {
        return runUntilReady(
                "plain loop (the limit)", scenario, () -> "", place -> schedulerArguments(scenario.limits(), "loop"));
    }

    ScenarioResult runDbScheduler(EndpointsScenario scenario, DbSchedulerSettings knobs, DatabaseFactory places)
            throws IOException, SQLException {
        return runUntilReady(
                "db-scheduler, %d threads".formatted(knobs.threads()),
                scenario,
                places,
                place -> List.of("peer", place, knobs.format()));
    }

    ScenarioResult runEscapement(String who, EndpointsScenario scenario, DatabaseFactory places)
            throws IOException, SQLException {
        return runUntilReady(who, scenario, places, place -> schedulerArguments(scenario.limits(), place));
    }

    static List<String> schedulerArguments(ConcurrencyLimits knobs, String what) {
        return List.of(what, Integer.toString(knobs.concurrency()), Integer.toString(knobs.perHost()));
    }

    /** Who is not ready in time gets more of it, and another database. */
    private ScenarioResult runUntilReady(
            String who, EndpointsScenario scenario, DatabaseFactory places, Function<String, List<String>> arguments)
            throws IOException, SQLException {
        Duration preparing = Duration.ofSeconds(3).plusMillis(scenario.count());
        for (int tries = 1; tries <= MAX_TRIES; tries++) {
            String place = places.create();
            Optional<ScenarioResult> outcome = runOnce(who, scenario, place, arguments.apply(place), preparing);
            if (outcome.isPresent()) {
                return outcome.get();
            }
            preparing = preparing.multipliedBy(2);
        }
        throw new IOException(who + " was never ready when the first call was due: the machine is too busy");
    }

    private Optional<ScenarioResult> runOnce(
            String who, EndpointsScenario scenario, String place, List<String> arguments, Duration preparing)
            throws IOException, SQLException {
        boolean postgres = place.startsWith("jdbc:");
        httpServer.clear();
        httpServer.setDelay(scenario.delay().toMillis());
        try (ChildJvm child = startScheduler(arguments)) {
            Timetable timetable = scenario.newTimetable(Instant.now().plus(preparing), 0, httpServer.ports());
            Counters before = Counters.parse(child.sendCommand("begin " + timetable.format()));
            if (Instant.now().isAfter(timetable.first())) {
                return Optional.empty();
            }
            long cpuBefore = child.cpuNanos();
            long commitsBefore = postgres ? DurablePostgres.commitCount(place) : 0;
            awaitLastRound(child, timetable, scenario);
            Counters did = Counters.parse(child.sendCommand("tally")).since(before);
            double cpu = child.cpuNanos() - cpuBefore;
            double commits = postgres ? DurablePostgres.commitCount(place) - commitsBefore : Double.NaN;
            List<RecordedCall> arrivals = httpServer.recordedCalls();
            CallStatistics figures =
                    CallStatistics.calculate(arrivals, timetable, scenario.warmUp() + 1L, scenario.lastRound());
            long last =
                    arrivals.stream().mapToLong(RecordedCall::epochMicros).max().orElse(0);
            double runs = Math.max(1, did.recorded());
            return Optional.of(new ScenarioResult(
                    who,
                    figures,
                    did.statements() < 0 ? Double.NaN : did.statements() / runs,
                    commits / runs,
                    cpu / 1e3 / runs,
                    (did.lastRecordedMicros() - last) / 1e3 - scenario.delay().toMillis()));
        }
    }

    /** Until everything of the last round is written down, but no longer than until the next. */
    private static void awaitLastRound(ChildJvm child, Timetable timetable, EndpointsScenario scenario)
            throws IOException {
        Instant end = timetable.slot(timetable.count() - 1, scenario.lastRound());
        sleep(Duration.between(Instant.now(), end));
        if (!timetable.spacing().isZero()) {
            // The next round has begun already, so counting does not tell when this one is over.
            sleep(MAX_LATENESS);
            return;
        }
        Instant latest = timetable.slot(0, scenario.lastRound() + 1).minusMillis(20);
        long expected = timetable.count() * scenario.lastRound();
        while (Counters.parse(child.sendCommand("tally")).recorded() < expected
                && Instant.now().isBefore(latest)) {
            sleep(Duration.ofMillis(5));
        }
    }

    static void sleep(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
