package dev.escapement.benchmarks.governor;

import dev.escapement.benchmarks.jmh.JmhRunner;
import dev.escapement.benchmarks.jmh.JmhTrial;
import dev.escapement.benchmarks.jmh.MeasurementOutcome;

/**
 * A trial and its place in a table.
 *
 * @param table which table
 * @param row the label of its row
 * @param column the label of its column
 * @param trial what is measured there
 */
record GovernorExperiment(Table table, String row, String column, JmhTrial trial) {

    MeasurementOutcome measure(JmhRunner stopwatch) {
        return stopwatch.measure(trial);
    }

    /** The tables of the governor's report. */
    enum Table {
        DECISIONS,
        PAST,
        PLANS
    }
}
