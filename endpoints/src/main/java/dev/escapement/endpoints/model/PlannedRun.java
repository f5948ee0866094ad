package dev.escapement.endpoints.model;

import java.time.Instant;
import java.util.Optional;

/**
 * The next run of an endpoint, as stored.
 *
 * @param at the slot, in whole microseconds; empty if it never runs
 * @param source what decided the slot
 * @param planJson the plan as a {@link dev.escapement.api.endpoint.ScheduleExplanation}: the chosen candidate, and the
 *     rejected ones with reasons
 */
public record PlannedRun(Optional<Instant> at, String source, String planJson) {}
