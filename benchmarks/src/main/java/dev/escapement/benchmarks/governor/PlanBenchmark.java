package dev.escapement.benchmarks.governor;

import dev.escapement.governor.plan.NextRunPlan;
import dev.escapement.governor.plan.RunHistory;
import dev.escapement.governor.plan.RunPlanner;
import dev.escapement.governor.plan.Schedule;
import java.time.Instant;
import java.util.Random;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Measures the cost of one plan, with all candidates and the plan without hints. */
@State(Scope.Thread)
public class PlanBenchmark {

    private static final int TIME_COUNT = 1_024;

    /** Set by JMH. */
    @Param
    public PlanningCase planning = PlanningCase.HEALTHY_INTERVAL;

    private final RunPlanner planner = RunPlanner.withDefaultJitter();
    private Schedule schedule = planning.schedule();
    private RunHistory history = planning.history();
    private Instant[] times = {};
    private int next;

    /** Draws the times at which plans are computed. */
    @Setup
    public void drawTimes() {
        schedule = planning.schedule();
        history = planning.history();
        times = new Random(TIME_COUNT)
                .longs(TIME_COUNT, 0, planning.span().toMillis())
                .mapToObj(PlanningCase.LAST_RUN_ENDED::plusMillis)
                .toArray(Instant[]::new);
        if (plan().source() != planning.source()) {
            throw new IllegalStateException("expected " + planning + " but got " + plan().explain());
        }
    }

    /** Plans the next run. */
    @Benchmark
    public NextRunPlan plan() {
        next = (next + 1) % TIME_COUNT;
        return planner.planNextRun(schedule, history, times[next]);
    }
}
