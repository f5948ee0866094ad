package dev.escapement.benchmarks.governor;

import dev.escapement.benchmarks.jmh.JmhRunner;
import dev.escapement.benchmarks.jmh.JmhTrial;
import dev.escapement.benchmarks.jmh.MeasurementOutcome;

/**
 * A JMH trial and its cell in a table.
 *
 * @param table which table
 * @param row the label of its row
 * @param column the label of its column
 * @param trial the measurement
 */
record GovernorExperiment(Table table, String row, String column, JmhTrial trial) {

    MeasurementOutcome measure(JmhRunner runner) {
        return runner.measure(trial);
    }

    /** The tables of the governor's report. */
    enum Table {
        DECISIONS,
        PAST,
        PLANS
    }
}
