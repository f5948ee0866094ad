package dev.escapement.endpoints.worker;

import dev.escapement.endpoints.store.Claim;
import dev.escapement.endpoints.store.EndpointStore;
import dev.escapement.endpoints.store.Lease;
import dev.escapement.endpoints.store.Result;
import dev.escapement.endpoints.store.Stored;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;

/** Guards that can be taken away. If nothing is noticed without one, either it or the simulation is worth nothing. */
enum Sabotage {
    NONE,
    /** Results are taken from whoever brings them, lease or not. */
    ANY_TOKEN,
    /** Results are taken whatever people have changed meanwhile. */
    ANY_REVISION,
    /** Workers believe that leases last for ever. */
    NO_FENCE;

    EndpointStore around(EndpointStore store) {
        return this == NONE
                ? store
                : (EndpointStore) Proxy.newProxyInstance(
                        EndpointStore.class.getClassLoader(),
                        new Class<?>[] {EndpointStore.class},
                        (self, method, arguments) -> {
                            try {
                                return switch (method.getName()) {
                                    case "record" -> store.record(forged(store, arguments[0]));
                                    case "claim" -> forgedClaims(method.invoke(store, arguments));
                                    default -> method.invoke(store, arguments);
                                };
                            } catch (InvocationTargetException failed) {
                                throw failed.getCause();
                            }
                        });
    }

    private List<Result> forged(EndpointStore store, Object results) {
        return ((List<?>) results)
                .stream().map(each -> forged(store, (Result) each)).toList();
    }

    private Result forged(EndpointStore store, Result result) {
        Claim claim = result.claim();
        Stored now = store.get(claim.endpoint().id()).orElseThrow();
        Claim forged = switch (this) {
            case ANY_TOKEN ->
                new Claim(
                        claim.endpoint(),
                        claim.revision(),
                        claim.host(),
                        now.lease().orElse(claim.lease()));
            case ANY_REVISION -> new Claim(claim.endpoint(), now.revision(), claim.host(), claim.lease());
            default -> claim;
        };
        return new Result(forged, result.run(), result.history(), result.next(), result.remedyDue());
    }

    private Object forgedClaims(Object claims) {
        return this != NO_FENCE
                ? claims
                : ((List<?>) claims).stream().map(each -> endless((Claim) each)).toList();
    }

    private static Claim endless(Claim claim) {
        Lease lease = claim.lease();
        return new Claim(
                claim.endpoint(),
                claim.revision(),
                claim.host(),
                new Lease(
                        lease.worker(),
                        lease.token(),
                        lease.since(),
                        lease.until().plus(Duration.ofDays(1000)),
                        lease.attempt()));
    }
}
