package dev.escapement.benchmarks.endpoints;

import dev.escapement.benchmarks.endpoints.MeasuredScheduler.Counters;
import dev.escapement.crashtests.kit.ChildJvm;
import dev.escapement.testkit.ConditionPoller;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Measures the SQL statements of a scheduler without due endpoints. */
final class IdleSchedulerCost {

    private static final int ENDPOINTS = 1_000;
    private static final Duration DUE_IN = Duration.ofHours(2);

    private IdleSchedulerCost() {}

    /** Returns statements per minute, with endpoints that are due in two hours. */
    static double measure(ScenarioRunner runner, String place, Duration time) throws IOException {
        try (ChildJvm child =
                runner.startScheduler(ScenarioRunner.schedulerArguments(ConcurrencyLimits.DEFAULTS, place))) {
            Timetable timetable =
                    new Timetable(ENDPOINTS, Instant.now().plus(DUE_IN), Duration.ZERO, DUE_IN, 0, List.of(9));
            child.sendCommand("start " + timetable.format());
            ConditionPoller.sleep(Duration.ofSeconds(3));
            Counters before = Counters.parse(child.sendCommand("counters"));
            ConditionPoller.sleep(time);
            Counters counters = Counters.parse(child.sendCommand("counters")).since(before);
            return counters.statements() * 60e3 / time.toMillis();
        }
    }
}
