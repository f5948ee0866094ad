package dev.escapement.process.runner;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * What is known of the servers that share the database.
 *
 * @param isGone whether the server of that id is gone for good: its lease has lapsed
 * @param leaseUntil until when this server's own lease holds for certain; empty if it needs none. No run begins after
 *     it, because then others may have declared it lost
 */
public record ServerLeaseView(Predicate<String> isGone, Supplier<Optional<Instant>> leaseUntil) {

    /** Neither is null. */
    public ServerLeaseView {
        requireNonNull(isGone, "isGone is null");
        requireNonNull(leaseUntil, "leaseUntil is null");
    }

    /** One server with a database of its own. What another one had left there is lost. */
    public static ServerLeaseView singleServer() {
        return new ServerLeaseView(server -> true, Optional::empty);
    }
}
