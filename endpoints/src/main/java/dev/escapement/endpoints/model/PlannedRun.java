package dev.escapement.endpoints.model;

import dev.escapement.endpoints.schedule.PlanDocumentWriter;
import java.time.Instant;
import java.util.Optional;

/**
 * When an endpoint runs next, as it is stored.
 *
 * @param at the slot, in whole microseconds; empty if it never runs
 * @param source what decided it, as {@link PlanDocumentWriter} writes it
 * @param planJson the whole plan as a JSON document: what was chosen, what was not and why
 */
public record PlannedRun(Optional<Instant> at, String source, String planJson) {}
