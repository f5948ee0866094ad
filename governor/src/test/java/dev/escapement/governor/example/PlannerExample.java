package dev.escapement.governor.example;

import dev.escapement.governor.plan.FixedInterval;
import dev.escapement.governor.plan.NextRunPlan;
import dev.escapement.governor.plan.RunHistory;
import dev.escapement.governor.plan.RunPlanner;
import dev.escapement.governor.plan.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/** Plans the next run of something that runs every five minutes and has just failed. */
public final class PlannerExample implements Supplier<String> {

    @Override
    public String get() {
        Instant noon = Instant.parse("2026-11-15T12:00:00Z");
        Schedule schedule = Schedule.of("endpoint-1", new FixedInterval(Duration.ofMinutes(5)));
        RunHistory history = RunHistory.initial(noon.minusSeconds(300)).withFailure(noon, noon, Optional.empty());
        NextRunPlan plan = RunPlanner.withDefaultJitter().planNextRun(schedule, history, noon);
        return plan.explain();
    }
}
