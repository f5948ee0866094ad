package dev.escapement.benchmarks.backoff;

import dev.escapement.benchmarks.jmh.MeasurementOutcome;

/** One measurement and its place in the table. */
record BackoffMeasurement(BackoffContender contender, int attempt, MeasurementOutcome outcome) {}
