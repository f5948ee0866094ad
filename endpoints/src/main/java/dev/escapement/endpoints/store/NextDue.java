package dev.escapement.endpoints.store;

import java.time.Instant;
import java.util.Optional;

/**
 * When there is something to claim.
 *
 * @param storeTime by the clock of the store
 * @param dueAt the earliest time at which something can be claimed; empty if nothing is planned
 */
public record NextDue(Instant storeTime, Optional<Instant> dueAt) {}
