package dev.escapement.endpoints.worker;

import dev.escapement.endpoints.model.StoredEndpoint;
import dev.escapement.endpoints.model.StoredEndpoint.EndpointLease;
import dev.escapement.endpoints.store.EndpointClaim;
import dev.escapement.endpoints.store.EndpointStore;
import dev.escapement.endpoints.store.EndpointStore.RunResult;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;

/** Safeguards that a simulation can disable, to prove that it detects their absence. */
enum DisabledSafeguard {
    NONE,
    /** Results are accepted without a lease. */
    LEASE_TOKEN_CHECK,
    /** Results are accepted although a user changed the endpoint. */
    REVISION_CHECK,
    /** Workers assume that leases never expire. */
    LEASE_EXPIRY_CHECK;

    EndpointStore wrap(EndpointStore store) {
        return this == NONE
                ? store
                : (EndpointStore) Proxy.newProxyInstance(
                        EndpointStore.class.getClassLoader(),
                        new Class<?>[] {EndpointStore.class},
                        (self, method, arguments) -> {
                            try {
                                return switch (method.getName()) {
                                    case "record" -> store.record(forgeResults(store, arguments[0]));
                                    case "claim" -> forgeClaims(method.invoke(store, arguments));
                                    default -> method.invoke(store, arguments);
                                };
                            } catch (InvocationTargetException failed) {
                                throw failed.getCause();
                            }
                        });
    }

    private List<RunResult> forgeResults(EndpointStore store, Object results) {
        return ((List<?>) results)
                .stream().map(each -> forgeResults(store, (RunResult) each)).toList();
    }

    private RunResult forgeResults(EndpointStore store, RunResult result) {
        EndpointClaim claim = result.claim();
        StoredEndpoint now = store.get(claim.endpoint().id()).orElseThrow();
        EndpointClaim forged = switch (this) {
            case LEASE_TOKEN_CHECK ->
                new EndpointClaim(
                        claim.endpoint(),
                        claim.revision(),
                        claim.host(),
                        now.lease().orElse(claim.lease()));
            case REVISION_CHECK -> new EndpointClaim(claim.endpoint(), now.revision(), claim.host(), claim.lease());
            default -> claim;
        };
        return new RunResult(forged, result.run(), result.history(), result.nextRun(), result.remediationDue());
    }

    private Object forgeClaims(Object claims) {
        return this != LEASE_EXPIRY_CHECK
                ? claims
                : ((List<?>) claims)
                        .stream()
                                .map(each -> withEndlessLease((EndpointClaim) each))
                                .toList();
    }

    private static EndpointClaim withEndlessLease(EndpointClaim claim) {
        EndpointLease lease = claim.lease();
        return new EndpointClaim(
                claim.endpoint(),
                claim.revision(),
                claim.host(),
                new EndpointLease(
                        lease.workerName(),
                        lease.token(),
                        lease.claimedAt(),
                        lease.expiresAt().plus(Duration.ofDays(1000)),
                        lease.attempt()));
    }
}
