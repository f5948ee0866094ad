package dev.escapement.architecture.offenders;

import dev.escapement.governor.plan.RunPlanner;

/** Plans failing endpoints without a spread. */
public final class UnjitteredPlannerOffender {

    private UnjitteredPlannerOffender() {}

    static RunPlanner planner() {
        return new RunPlanner(0);
    }
}
