package dev.escapement.benchmarks.kubernetes;

import java.time.Duration;

/**
 * How much is counted.
 *
 * @param inTurn executions one after the other
 * @param atOnce executions at the same time
 * @param few executions of every other kind
 * @param quiet how long nothing happens
 */
record CountsPlan(int inTurn, int atOnce, int few, Duration quiet) {

    static final CountsPlan FULL = new CountsPlan(20, 100, 20, Duration.ofMinutes(2));
    static final CountsPlan QUICK = new CountsPlan(5, 20, 5, Duration.ofSeconds(20));
}
