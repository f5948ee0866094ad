package dev.escapement.endpoints;

import java.time.Instant;
import java.util.Optional;

/**
 * When an endpoint runs next, as it is stored.
 *
 * @param at the slot, in whole microseconds; empty if it never runs
 * @param source what decided it, as {@link PlanDocument} writes it
 * @param story the whole plan as a JSON document: what was chosen, what was not and why
 */
public record Planned(Optional<Instant> at, String source, String story) {}
