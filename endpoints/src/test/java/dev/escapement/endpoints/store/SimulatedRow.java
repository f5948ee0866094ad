package dev.escapement.endpoints.store;

import dev.escapement.endpoints.Endpoint;
import dev.escapement.endpoints.HostKey;
import dev.escapement.endpoints.Planning;
import dev.escapement.endpoints.Remedy;
import dev.escapement.endpoints.store.EndpointStore.EndpointFilter;
import java.time.Instant;
import java.util.Optional;

/** What the simulated store keeps of an endpoint. */
final class SimulatedRow {

    private static final Instant NOBODY = Instant.EPOCH;

    Endpoint endpoint;
    long version = 1;
    long revision = 1;
    String worker = "";
    String token = "";
    Instant since = NOBODY;
    Instant until = NOBODY;
    int attempts;
    long remedyDue;
    Instant remedySeen = Instant.MIN;

    SimulatedRow(Endpoint endpoint) {
        this.endpoint = endpoint;
    }

    boolean isArchived() {
        return endpoint.steering().archived();
    }

    void archive() {
        endpoint = endpoint.changed(
                endpoint.definition(), endpoint.steering().archive(), endpoint.history(), Planning.NEVER);
        version++;
        revision++;
    }

    boolean is(EndpointFilter filter, Instant now) {
        if (filter.state().isEmpty()) {
            return !isArchived();
        }
        return switch (filter.state().get()) {
            case ARCHIVED -> isArchived();
            case FAILING -> !isArchived() && endpoint.history().failures() > 0;
            case PAUSED ->
                !isArchived()
                        && endpoint.steering()
                                .pausedUntil()
                                .filter(now::isBefore)
                                .isPresent();
            case RUNNING -> !isArchived() && isRunning(now);
        };
    }

    String name() {
        return endpoint.definition().name();
    }

    String host() {
        return HostKey.of(endpoint.definition().url());
    }

    /** When it can be claimed: not before its slot, and not before its lease, if there is one, has lapsed. */
    Optional<Instant> claimableAt() {
        return isArchived()
                ? Optional.empty()
                : endpoint.planned().at().map(slot -> slot.isBefore(until) ? until : slot);
    }

    boolean isClaimable(Instant now) {
        return claimableAt().filter(at -> !at.isAfter(now)).isPresent();
    }

    boolean isRunning(Instant now) {
        return until.isAfter(now);
    }

    boolean isHeldBy(Claim claim) {
        return !token.isEmpty() && token.equals(claim.lease().token());
    }

    void free() {
        worker = "";
        token = "";
        since = NOBODY;
        until = NOBODY;
    }

    Lease lease() {
        return new Lease(worker, token, since, until, attempts);
    }

    Stored stored(Instant now) {
        return new Stored(
                endpoint, version, revision, attempts, token.isEmpty() ? Optional.empty() : Optional.of(lease()));
    }

    void settle(Remedy remedy) {
        Optional<Remedy> before = endpoint.remedy();
        boolean stands = before.filter(old -> old.run() > remedy.run()
                        || (old.run() == remedy.run()
                                && old.state() == Remedy.State.REQUESTED
                                && remedy.state() != Remedy.State.REQUESTED))
                .isPresent();
        if (!stands) {
            endpoint = new Endpoint(
                    endpoint.id(),
                    endpoint.createdAt(),
                    endpoint.definition(),
                    endpoint.steering(),
                    endpoint.history(),
                    endpoint.number(),
                    endpoint.planned(),
                    Optional.of(remedy));
        }
        if (remedyDue <= remedy.run()) {
            remedyDue = 0;
        }
        version++;
    }

    void record(Result result) {
        endpoint = new Endpoint(
                endpoint.id(),
                endpoint.createdAt(),
                endpoint.definition(),
                endpoint.steering(),
                result.history(),
                endpoint.number() + 1,
                result.next(),
                endpoint.remedy());
        // The last run decides: what one before it called for may be over.
        remedyDue = result.remedyDue() ? result.run().number() : 0;
        if (result.remedyDue()) {
            remedySeen = Instant.MIN;
        }
        free();
        attempts = 0;
        version++;
    }
}
