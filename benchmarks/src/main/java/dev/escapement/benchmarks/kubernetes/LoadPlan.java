package dev.escapement.benchmarks.kubernetes;

/**
 * The size of the load.
 *
 * @param executions of the operator; the bare client processes one half before and one half after it
 * @param targets of the executions
 * @param maxUnfinished maximum number of unfinished executions
 * @param warmUp executions before each measurement, not counted
 * @param sequential executions one at a time
 * @param withTekton executions with the real Tekton
 */
record LoadPlan(int executions, int targets, int maxUnfinished, int warmUp, int sequential, int withTekton) {

    /** Threads of the bare client; the default of the operator. */
    static final int THREADS = 32;

    static final LoadPlan FULL = new LoadPlan(10_000, 1_000, 100, 1_000, 200, 300);
    /** Measured three times: with and without audit and notifications. */
    static final LoadPlan AUDIT = new LoadPlan(4_000, 1_000, 100, 1_000, 0, 0);

    static final LoadPlan QUICK = new LoadPlan(500, 50, 25, 100, 20, 40);
}
