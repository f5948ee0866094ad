package dev.escapement.benchmarks.kubernetes;

/**
 * How much is carried.
 *
 * @param executions by the operator, and by the bare client in two halves, before and after
 * @param targets over which they are spread
 * @param maxUnfinished at most at any time
 * @param warmUp before each measurement, not counted
 * @param sequential one at a time
 * @param withTekton with the real Tekton
 */
record LoadPlan(int executions, int targets, int maxUnfinished, int warmUp, int sequential, int withTekton) {

    /** The usual number of threads of the operator: it and the bare client do as much at once. */
    static final int THREADS = 32;

    static final LoadPlan FULL = new LoadPlan(10_000, 1_000, 100, 1_000, 200, 300);
    static final LoadPlan QUICK = new LoadPlan(500, 50, 25, 100, 20, 40);
}
