package dev.escapement.benchmarks.endpoints;

import dev.escapement.crashtests.kit.ChildJvm;
import dev.escapement.crashtests.kit.RecordedCall;
import dev.escapement.crashtests.kit.RecordingHttpServerProcess;
import dev.escapement.testkit.ConditionPoller;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Compares runs per second with and without a long history. The same endpoints are due at once in two databases, one
 * with many past runs and one with none, alternately, so that other load on the machine affects both.
 *
 * @param empty statistics without a history
 * @param full statistics with a history
 */
record LongHistoryComparison(CallStatistics empty, CallStatistics full) {

    /** Time to create thousands of endpoints in two databases on a busy machine. */
    private static final Duration PREPARATION_TIME = Duration.ofSeconds(20);

    /** Returns the duration with a history divided by that without one. */
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
            first.sendCommand("start " + one.format());
            second.sendCommand("start " + other.format());
            ConditionPoller.sleep(Duration.between(Instant.now(), one.slot(0, scenario.lastRound() + 1)));
            List<RecordedCall> calls = sink.recordedCalls();
            return new LongHistoryComparison(
                    statisticsOf(calls, one, scenario, past), statisticsOf(calls, other, scenario, past));
        }
    }

    /** The numbers of the runs show which of the two databases a call belongs to. */
    private static CallStatistics statisticsOf(
            List<RecordedCall> calls, Timetable timetable, EndpointsScenario scenario, int past) {
        List<RecordedCall> own = calls.stream()
                .filter(call -> (call.runNumber() > past) == (timetable.pastRuns() == past))
                .toList();
        return CallStatistics.calculate(own, timetable, scenario.warmUp() + 1L, scenario.lastRound());
    }
}
