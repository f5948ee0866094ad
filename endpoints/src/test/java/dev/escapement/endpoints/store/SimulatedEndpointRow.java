package dev.escapement.endpoints.store;

import dev.escapement.endpoints.guard.EndpointUrl;
import dev.escapement.endpoints.model.RemediationAttempt;
import dev.escapement.endpoints.model.ScheduledEndpoint;
import dev.escapement.endpoints.model.StoredEndpoint;
import dev.escapement.endpoints.model.StoredEndpoint.EndpointLease;
import dev.escapement.endpoints.schedule.EndpointPlanner;
import dev.escapement.endpoints.store.EndpointStore.EndpointFilter;
import dev.escapement.endpoints.store.EndpointStore.RunResult;
import java.time.Instant;
import java.util.Optional;

/** The stored state of an endpoint. */
final class SimulatedEndpointRow {

    private static final Instant NO_LEASE = Instant.EPOCH;

    ScheduledEndpoint endpoint;
    long version = 1;
    long revision = 1;
    String leaseWorker = "";
    String leaseToken = "";
    Instant leaseClaimedAt = NO_LEASE;
    Instant leaseExpiresAt = NO_LEASE;
    int attempts;
    long remediationDueRun;
    Instant remediationClaimedAt = Instant.MIN;

    SimulatedEndpointRow(ScheduledEndpoint endpoint) {
        this.endpoint = endpoint;
    }

    boolean isArchived() {
        return endpoint.overrides().archived();
    }

    void archive() {
        endpoint = endpoint.withChanges(
                endpoint.definition(),
                endpoint.overrides().archive(),
                endpoint.history(),
                EndpointPlanner.ARCHIVED_PLAN);
        version++;
        revision++;
    }

    boolean matches(EndpointFilter filter, Instant now) {
        return switch (filter) {
            case ALL -> !isArchived();
            case ARCHIVED -> isArchived();
            case FAILING -> !isArchived() && endpoint.history().failures() > 0;
            case PAUSED ->
                !isArchived()
                        && endpoint.overrides()
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
        return EndpointUrl.hostKeyOf(endpoint.definition().call().url());
    }

    /** When it can be claimed: not before its slot, and not before its lease, if any, expires. */
    Optional<Instant> claimableAt() {
        return isArchived()
                ? Optional.empty()
                : endpoint.nextRun().at().map(slot -> slot.isBefore(leaseExpiresAt) ? leaseExpiresAt : slot);
    }

    boolean isClaimable(Instant now) {
        return claimableAt().filter(at -> !at.isAfter(now)).isPresent();
    }

    boolean isRunning(Instant now) {
        return leaseExpiresAt.isAfter(now);
    }

    boolean isHeldBy(EndpointClaim claim) {
        return !leaseToken.isEmpty() && leaseToken.equals(claim.lease().token());
    }

    void releaseLease() {
        leaseWorker = "";
        leaseToken = "";
        leaseClaimedAt = NO_LEASE;
        leaseExpiresAt = NO_LEASE;
    }

    EndpointLease toLease() {
        return new EndpointLease(leaseWorker, leaseToken, leaseClaimedAt, leaseExpiresAt, attempts);
    }

    StoredEndpoint toStored(Instant now) {
        return new StoredEndpoint(
                endpoint,
                version,
                revision,
                attempts,
                leaseToken.isEmpty() ? Optional.empty() : Optional.of(toLease()));
    }

    void recordRemediation(RemediationAttempt remedy) {
        Optional<RemediationAttempt> before = endpoint.lastRemediation();
        boolean stands = before.filter(old -> old.runNumber() > remedy.runNumber()
                        || (old.runNumber() == remedy.runNumber()
                                && old.state() == RemediationAttempt.State.REQUESTED
                                && remedy.state() != RemediationAttempt.State.REQUESTED))
                .isPresent();
        if (!stands) {
            endpoint = new ScheduledEndpoint(
                    endpoint.id(),
                    endpoint.createdAt(),
                    endpoint.definition(),
                    endpoint.overrides(),
                    endpoint.history(),
                    endpoint.nextRunNumber(),
                    endpoint.nextRun(),
                    Optional.of(remedy));
        }
        if (remediationDueRun <= remedy.runNumber()) {
            remediationDueRun = 0;
        }
        version++;
    }

    void record(RunResult result) {
        endpoint = new ScheduledEndpoint(
                endpoint.id(),
                endpoint.createdAt(),
                endpoint.definition(),
                endpoint.overrides(),
                result.history(),
                endpoint.nextRunNumber() + 1,
                result.nextRun(),
                endpoint.lastRemediation());
        // Only the last run decides whether a remediation is due.
        remediationDueRun = result.remediationDue() ? result.run().number() : 0;
        if (result.remediationDue()) {
            remediationClaimedAt = Instant.MIN;
        }
        releaseLease();
        attempts = 0;
        version++;
    }
}
