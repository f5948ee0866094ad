package dev.escapement.endpoints.model;

import java.util.Optional;

/**
 * An endpoint as it was read.
 *
 * @param version changes with every write but renewals; a change by people must still find it
 * @param revision changes only when people change something: a result must still find it, because its plan was made of
 *     what they said
 * @param attempts at its next run, by whoever has claimed it so far; they stay counted when a lease is given back
 * @param lease who claimed it last and has not given it back; it may have lapsed
 */
public record StoredEndpoint(
        Endpoint endpoint, long version, long revision, int attempts, Optional<EndpointLease> lease) {

    /** Whether its next run was begun, by somebody who may be at it still or who came to no end. */
    public boolean hasBeenAttempted() {
        return attempts > 0;
    }
}
