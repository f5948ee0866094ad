package dev.escapement.architecture.offenders;

import dev.escapement.governor.plan.RunPlanner;

/** Plans failing endpoints without a spread. */
public final class PlansWithoutJitter {

    private PlansWithoutJitter() {}

    static RunPlanner planner() {
        return new RunPlanner(0);
    }
}
