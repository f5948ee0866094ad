package dev.escapement.endpoints.worker;

import dev.escapement.endpoints.http.CallResult;
import dev.escapement.endpoints.model.ScheduledEndpoint.PlannedRun;
import dev.escapement.endpoints.store.EndpointClaim;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Tracks calls in flight, by endpoint and host. {@link #finish} may run on any thread, all else on the worker's. */
final class InFlightCalls {

    private final Map<String, InFlightCall> callsByEndpoint = new LinkedHashMap<>();
    private final Map<String, Integer> callsByHost = new HashMap<>();
    private final Queue<FinishedCall> finished = new ConcurrentLinkedQueue<>();
    private volatile int count;

    void add(InFlightCall call) {
        callsByEndpoint.put(call.endpointId(), call);
        callsByHost.merge(call.claim().host(), 1, Integer::sum);
        count = callsByEndpoint.size();
    }

    void finish(FinishedCall call) {
        finished.add(call);
    }

    /** Removes and returns up to {@code limit} finished calls. */
    List<FinishedCall> drainFinished(int limit) {
        List<FinishedCall> collected = new ArrayList<>();
        while (collected.size() < limit) {
            FinishedCall next = finished.poll();
            if (next == null) {
                break;
            }
            callsByEndpoint.remove(next.call().endpointId());
            callsByHost.computeIfPresent(
                    next.call().claim().host(), (host, calls) -> calls == 1 ? null : Integer.valueOf(calls - 1));
            collected.add(next);
        }
        count = callsByEndpoint.size();
        return collected;
    }

    int count() {
        return count;
    }

    Map<String, Integer> callsByHost() {
        return callsByHost;
    }

    /** Returns the hosts that have reached the limit. */
    Set<String> fullHosts(int perHost) {
        Map<String, Integer> full = new HashMap<>(callsByHost);
        full.values().removeIf(calls -> calls < perHost);
        return full.keySet();
    }

    Collection<EndpointClaim> claims() {
        return callsByEndpoint.values().stream().map(InFlightCall::claim).toList();
    }

    /**
     * A call in flight.
     *
     * @param plannedRun the plan that led to the call; the claim may hold a newer one after a change by a user
     */
    record InFlightCall(EndpointClaim claim, PlannedRun plannedRun, Instant slot, Instant startedAt) {

        String endpointId() {
            return claim.endpoint().id();
        }
    }

    /**
     * A finished call.
     *
     * @param countsAsOutcome whether the result is a success or failure of the endpoint; false if it was not called
     */
    record FinishedCall(InFlightCall call, CallResult result, Instant endedAt, boolean countsAsOutcome) {

        FinishedCall withClaim(EndpointClaim refreshed) {
            InFlightCall updated = new InFlightCall(refreshed, call.plannedRun, call.slot, call.startedAt);
            return new FinishedCall(updated, result, endedAt, countsAsOutcome);
        }
    }
}
