package dev.escapement.governor.plan;

import java.time.Instant;

/**
 * What would have been.
 *
 * @param at when the endpoint would have run
 * @param source what would have decided it
 */
public record PlanWithoutHints(Instant at, RunSource source) {}
