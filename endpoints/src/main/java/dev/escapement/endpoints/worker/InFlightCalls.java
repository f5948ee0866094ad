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

/** What is under way, and of which hosts. Calls land on any thread; everything else is the worker's thread's. */
final class InFlightCalls {

    private final Map<String, InFlightCall> callsByEndpoint = new LinkedHashMap<>();
    private final Map<String, Integer> callsByHost = new HashMap<>();
    private final Queue<FinishedCall> finished = new ConcurrentLinkedQueue<>();
    private volatile int count;

    void add(InFlightCall flight) {
        callsByEndpoint.put(flight.endpointId(), flight);
        callsByHost.merge(flight.claim().host(), 1, Integer::sum);
        count = callsByEndpoint.size();
    }

    /** On any thread. */
    void finish(FinishedCall flight) {
        finished.add(flight);
    }

    /** Those that have landed since the last look. */
    List<FinishedCall> drainFinished(int most) {
        List<FinishedCall> collected = new ArrayList<>();
        while (collected.size() < most) {
            FinishedCall next = finished.poll();
            if (next == null) {
                break;
            }
            callsByEndpoint.remove(next.call().endpointId());
            callsByHost.computeIfPresent(
                    next.call().claim().host(), (host, flights) -> flights == 1 ? null : Integer.valueOf(flights - 1));
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

    /** Hosts that cannot take one more. */
    Set<String> fullHosts(int perHost) {
        Set<String> full = new HashSet<>();
        callsByHost.forEach((host, flights) -> {
            if (flights >= perHost) {
                full.add(host);
            }
        });
        return full;
    }

    Collection<EndpointClaim> claims() {
        return callsByEndpoint.values().stream().map(InFlightCall::claim).toList();
    }
}
