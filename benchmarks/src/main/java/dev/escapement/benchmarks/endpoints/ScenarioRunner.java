package dev.escapement.benchmarks.endpoints;

import dev.escapement.benchmarks.endpoints.MeasuredScheduler.Counters;
import dev.escapement.crashtests.kit.ChildJvm;
import dev.escapement.crashtests.kit.DurablePostgres;
import dev.escapement.crashtests.kit.RecordedCall;
import dev.escapement.crashtests.kit.RecordingHttpServerProcess;
import dev.escapement.testkit.ConditionPoller;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Runs a scenario with one scheduler and reads the recorded calls of the sink. */
final class ScenarioRunner {

    /** Maximum lateness of the last calls of a steady load. */
    private static final Duration MAX_LATENESS = Duration.ofSeconds(5);

    private static final int MAX_TRIES = 5;

    private final Path folder;
    private final RecordingHttpServerProcess httpServer;

    ScenarioRunner(Path folder, RecordingHttpServerProcess sink) {
        this.folder = folder;
        this.httpServer = sink;
    }

    /** Starts a process with a scheduler. */
    ChildJvm startScheduler(List<String> arguments) throws IOException {
        ChildJvm child = new ChildJvm(MeasuredSchedulerMain.class, folder.resolve("scheduler.log"), arguments);
        child.readLine();
        return child;
    }

    /** Creates a database and returns its URL or file. */
    interface DatabaseFactory {
        String create() throws SQLException;
    }

    ScenarioResult runPlainLoop(EndpointsScenario scenario) throws IOException, SQLException {
        return runUntilReady(
                "plain loop (the limit)", scenario, () -> "", place -> schedulerArguments(scenario.limits(), "loop"));
    }

    ScenarioResult runDbScheduler(EndpointsScenario scenario, DbSchedulerSettings settings, DatabaseFactory places)
            throws IOException, SQLException {
        return runUntilReady(
                "db-scheduler, %d threads".formatted(settings.threads()),
                scenario,
                places,
                place -> List.of("db-scheduler", place, settings.format()));
    }

    ScenarioResult runEscapement(String scheduler, EndpointsScenario scenario, DatabaseFactory places)
            throws IOException, SQLException {
        return runUntilReady(scheduler, scenario, places, place -> schedulerArguments(scenario.limits(), place));
    }

    static List<String> schedulerArguments(ConcurrencyLimits limits, String what) {
        return List.of(what, Integer.toString(limits.concurrency()), Integer.toString(limits.perHost()));
    }

    /** Repeats a run that was not ready in time, with more time and another database. */
    private ScenarioResult runUntilReady(
            String scheduler,
            EndpointsScenario scenario,
            DatabaseFactory places,
            Function<String, List<String>> arguments)
            throws IOException, SQLException {
        Duration preparationTime = Duration.ofSeconds(3).plusMillis(scenario.count());
        for (int tries = 1; tries <= MAX_TRIES; tries++) {
            String place = places.create();
            Optional<ScenarioResult> outcome =
                    runOnce(scheduler, scenario, place, arguments.apply(place), preparationTime);
            if (outcome.isPresent()) {
                return outcome.get();
            }
            preparationTime = preparationTime.multipliedBy(2);
        }
        throw new IOException(scheduler + " was never ready when the first call was due: the machine is too busy");
    }

    private Optional<ScenarioResult> runOnce(
            String scheduler,
            EndpointsScenario scenario,
            String place,
            List<String> arguments,
            Duration preparationTime)
            throws IOException, SQLException {
        boolean postgres = place.startsWith("jdbc:");
        httpServer.clear();
        httpServer.setDelay(scenario.delay().toMillis());
        try (ChildJvm child = startScheduler(arguments)) {
            Timetable timetable = scenario.newTimetable(Instant.now().plus(preparationTime), 0, httpServer.ports());
            Counters before = Counters.parse(child.sendCommand("start " + timetable.format()));
            if (Instant.now().isAfter(timetable.first())) {
                return Optional.empty();
            }
            long cpuBefore = child.cpuNanos();
            long commitsBefore = postgres ? DurablePostgres.commitCount(place) : 0;
            awaitLastRound(child, timetable, scenario);
            Counters counters = Counters.parse(child.sendCommand("counters")).since(before);
            double cpu = child.cpuNanos() - cpuBefore;
            double commits = postgres ? DurablePostgres.commitCount(place) - commitsBefore : Double.NaN;
            List<RecordedCall> calls = httpServer.recordedCalls();
            CallStatistics statistics =
                    CallStatistics.calculate(calls, timetable, scenario.warmUp() + 1L, scenario.lastRound());
            long last =
                    calls.stream().mapToLong(RecordedCall::epochMicros).max().orElse(0);
            double runs = Math.max(1, counters.recorded());
            return Optional.of(new ScenarioResult(
                    scheduler,
                    statistics,
                    counters.statements() < 0 ? Double.NaN : counters.statements() / runs,
                    commits / runs,
                    cpu / 1e3 / runs,
                    (counters.lastRecordedMicros() - last) / 1e3
                            - scenario.delay().toMillis()));
        }
    }

    /** Waits until all runs of the last round are recorded, but at most until the next round. */
    private static void awaitLastRound(ChildJvm child, Timetable timetable, EndpointsScenario scenario)
            throws IOException {
        Instant end = timetable.slot(timetable.count() - 1, scenario.lastRound());
        ConditionPoller.sleep(Duration.between(Instant.now(), end));
        if (!timetable.spacing().isZero()) {
            // The next round has already started, so the number of runs does not show the end of this one.
            ConditionPoller.sleep(MAX_LATENESS);
            return;
        }
        Instant latest = timetable.slot(0, scenario.lastRound() + 1).minusMillis(20);
        long expected = timetable.count() * scenario.lastRound();
        while (Counters.parse(child.sendCommand("counters")).recorded() < expected
                && Instant.now().isBefore(latest)) {
            ConditionPoller.sleep(Duration.ofMillis(5));
        }
    }
}
