package dev.escapement.governor.plan;

import java.time.Instant;

/** When an endpoint would run without its hints, and what would decide that. */
public record PlanWithoutHints(Instant at, RunSource source) {}
