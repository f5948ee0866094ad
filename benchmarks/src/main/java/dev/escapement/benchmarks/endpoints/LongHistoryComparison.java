package dev.escapement.benchmarks.endpoints;

import dev.escapement.crashtests.kit.ChildJvm;
import dev.escapement.crashtests.kit.RecordedCall;
import dev.escapement.crashtests.kit.RecordingHttpServerProcess;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Whether a long history costs anything: the same endpoints due at once in two databases, one with many runs behind
 * each and one with none, in turn, so that what else happens on the machine happens to both.
 *
 * @param empty at the sink, without a history
 * @param full at the sink, with one
 */
record LongHistoryComparison(CallStatistics empty, CallStatistics full) {

    /** For thousands of endpoints in two databases, on a machine that is busy. */
    private static final Duration PREPARATION_TIME = Duration.ofSeconds(20);

    /** How many times as long it takes with a history; 1 is flat. */
    double ratio() {
        return empty.medianRate() / full.medianRate();
    }

    static LongHistoryComparison measure(
            ScenarioRunner runner,
            RecordingHttpServerProcess sink,
            EndpointsScenario scenario,
            String empty,
            String full,
            int runs)
            throws IOException, SQLException {
        int past = runs / scenario.count();
        RunHistoryFiller.fill(full, scenario.count(), past);
        sink.clear();
        sink.setDelay(0);
        try (ChildJvm first = runner.startScheduler(ScenarioRunner.schedulerArguments(scenario.limits(), empty));
                ChildJvm second = runner.startScheduler(ScenarioRunner.schedulerArguments(scenario.limits(), full))) {
            Timetable one = scenario.newTimetable(Instant.now().plus(PREPARATION_TIME), 0, sink.ports());
            Duration half = one.interval().dividedBy(2);
            Timetable other = new Timetable(
                    one.count(), one.first().plus(half), one.spacing(), one.interval(), past, one.ports());
            first.sendCommand("begin " + one.format());
            second.sendCommand("begin " + other.format());
            ScenarioRunner.sleep(Duration.between(Instant.now(), one.slot(0, scenario.lastRound() + 1)));
            List<RecordedCall> arrivals = sink.recordedCalls();
            return new LongHistoryComparison(
                    statisticsOf(arrivals, one, scenario, past), statisticsOf(arrivals, other, scenario, past));
        }
    }

    /** The two are told apart by the numbers of their runs. */
    private static CallStatistics statisticsOf(
            List<RecordedCall> arrivals, Timetable timetable, EndpointsScenario scenario, int past) {
        List<RecordedCall> own = arrivals.stream()
                .filter(arrival -> (arrival.runNumber() > past) == (timetable.pastRuns() == past))
                .toList();
        return CallStatistics.calculate(own, timetable, scenario.warmUp() + 1L, scenario.lastRound());
    }
}
