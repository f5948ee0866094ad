package dev.escapement.benchmarks.backoff;

import dev.escapement.benchmarks.jmh.MeasurementOutcome;

/** The measurement of one cell of the table. */
record BackoffMeasurement(BackoffContender contender, int attempt, MeasurementOutcome outcome) {}
