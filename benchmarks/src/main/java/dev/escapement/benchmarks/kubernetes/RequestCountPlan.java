package dev.escapement.benchmarks.kubernetes;

import java.time.Duration;

/**
 * Numbers of executions to count.
 *
 * @param sequential one after the other
 * @param concurrent at the same time
 * @param others of every other kind
 * @param quietTime how long executions wait for their runs
 */
record RequestCountPlan(int sequential, int concurrent, int others, Duration quietTime) {

    static final RequestCountPlan FULL = new RequestCountPlan(20, 100, 20, Duration.ofMinutes(2));
    static final RequestCountPlan QUICK = new RequestCountPlan(5, 20, 5, Duration.ofSeconds(20));
}
