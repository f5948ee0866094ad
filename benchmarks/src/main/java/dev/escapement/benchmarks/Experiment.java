package dev.escapement.benchmarks;

/**
 * A trial and its place in a table.
 *
 * @param table which table
 * @param row the label of its row
 * @param column the label of its column
 * @param trial what is measured there
 */
record Experiment(Table table, String row, String column, Trial trial) {

    Outcome measure(Stopwatch stopwatch) {
        return stopwatch.measure(trial);
    }

    /** The tables of the governor's report. */
    enum Table {
        DECISIONS,
        PAST,
        PLANS
    }
}
