package dev.escapement.endpoints.store;

import java.time.Instant;
import java.util.Optional;

/**
 * When the next endpoint becomes due.
 *
 * @param storeTime current time of the store's clock
 * @param dueAt earliest time at which an endpoint can be claimed; empty if no run is planned
 */
public record NextDue(Instant storeTime, Optional<Instant> dueAt) {}
