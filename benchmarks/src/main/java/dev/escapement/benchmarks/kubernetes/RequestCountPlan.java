package dev.escapement.benchmarks.kubernetes;

import java.time.Duration;

/**
 * How much is counted.
 *
 * @param sequential executions one after the other
 * @param concurrent executions at the same time
 * @param others executions of every other kind
 * @param quietTime how long nothing happens
 */
record RequestCountPlan(int sequential, int concurrent, int others, Duration quietTime) {

    static final RequestCountPlan FULL = new RequestCountPlan(20, 100, 20, Duration.ofMinutes(2));
    static final RequestCountPlan QUICK = new RequestCountPlan(5, 20, 5, Duration.ofSeconds(20));
}
