package dev.escapement.process.runner;

import java.time.Instant;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * What the runner needs to know of the servers that share the database.
 *
 * @param isGone whether another server has taken over from the server with this id
 * @param leaseUntil until when this server's lease is held for certain; empty if it needs none. No run starts after it,
 *     because another server may have recorded the run as lost
 */
public record ServerLeaseView(Predicate<String> isGone, Supplier<Optional<Instant>> leaseUntil) {}
