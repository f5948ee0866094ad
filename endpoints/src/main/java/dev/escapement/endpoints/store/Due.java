package dev.escapement.endpoints.store;

import java.time.Instant;
import java.util.Optional;

/**
 * When there is something to claim.
 *
 * @param now by the clock of the store
 * @param at the earliest time at which something can be claimed; empty if nothing is planned
 */
public record Due(Instant now, Optional<Instant> at) {}
