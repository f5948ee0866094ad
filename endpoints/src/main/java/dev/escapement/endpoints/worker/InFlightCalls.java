package dev.escapement.endpoints.worker;

import dev.escapement.endpoints.store.EndpointClaim;
import dev.escapement.endpoints.worker.InFlightCall.FinishedCall;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
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
        Set<String> full = new HashSet<>();
        callsByHost.forEach((host, calls) -> {
            if (calls >= perHost) {
                full.add(host);
            }
        });
        return full;
    }

    Collection<EndpointClaim> claims() {
        return callsByEndpoint.values().stream().map(InFlightCall::claim).toList();
    }
}
