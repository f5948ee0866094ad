package dev.escapement.governor.plan;

/** The schedule of an endpoint that does not fail and has no hints. */
public sealed interface Baseline permits FixedInterval, CronExpression {}
