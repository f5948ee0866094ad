package dev.escapement.endpoints.model;

import dev.escapement.endpoints.schedule.PlanDocumentWriter;
import java.time.Instant;
import java.util.Optional;

/**
 * The next run of an endpoint, as stored.
 *
 * @param at the slot, in whole microseconds; empty if it never runs
 * @param source what decided the slot, as {@link PlanDocumentWriter} writes it
 * @param planJson the plan as a JSON document: the chosen candidate, and the rejected ones with reasons
 */
public record PlannedRun(Optional<Instant> at, String source, String planJson) {}
