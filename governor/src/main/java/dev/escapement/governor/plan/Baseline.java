package dev.escapement.governor.plan;

/** How an endpoint runs when nothing is wrong and nobody has hinted otherwise. */
public sealed interface Baseline permits FixedInterval, CronExpression {}
