package dev.escapement.benchmarks.endpoints;

import dev.escapement.benchmarks.endpoints.MeasuredScheduler.Counters;
import dev.escapement.crashtests.kit.ChildJvm;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** What it costs that nothing is due. */
final class IdleSchedulerCost {

    private static final int ENDPOINTS = 1_000;
    private static final Duration DUE_IN = Duration.ofHours(2);

    private IdleSchedulerCost() {}

    /** Statements per minute, with endpoints that are due in two hours. */
    static double measure(ScenarioRunner runner, String place, Duration time) throws IOException {
        try (ChildJvm child =
                runner.startScheduler(ScenarioRunner.schedulerArguments(ConcurrencyLimits.DEFAULTS, place))) {
            Timetable timetable =
                    new Timetable(ENDPOINTS, Instant.now().plus(DUE_IN), Duration.ZERO, DUE_IN, 0, List.of(9));
            child.sendCommand("begin " + timetable.format());
            ScenarioRunner.sleep(Duration.ofSeconds(3));
            Counters before = Counters.parse(child.sendCommand("tally"));
            ScenarioRunner.sleep(time);
            Counters did = Counters.parse(child.sendCommand("tally")).since(before);
            return did.statements() * 60e3 / time.toMillis();
        }
    }
}
