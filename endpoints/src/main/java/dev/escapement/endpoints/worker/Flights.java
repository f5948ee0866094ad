package dev.escapement.endpoints.worker;

import dev.escapement.endpoints.store.Claim;
import dev.escapement.endpoints.worker.Flight.Landed;
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
final class Flights {

    private final Map<String, Flight> flying = new LinkedHashMap<>();
    private final Map<String, Integer> busy = new HashMap<>();
    private final Queue<Landed> landed = new ConcurrentLinkedQueue<>();
    private volatile int count;

    void begin(Flight flight) {
        flying.put(flight.endpoint(), flight);
        busy.merge(flight.claim().host(), 1, Integer::sum);
        count = flying.size();
    }

    /** On any thread. */
    void land(Landed flight) {
        landed.add(flight);
    }

    /** Those that have landed since the last look. */
    List<Landed> collect(int most) {
        List<Landed> collected = new ArrayList<>();
        while (collected.size() < most) {
            Landed next = landed.poll();
            if (next == null) {
                break;
            }
            flying.remove(next.flight().endpoint());
            busy.computeIfPresent(
                    next.flight().claim().host(),
                    (host, flights) -> flights == 1 ? null : Integer.valueOf(flights - 1));
            collected.add(next);
        }
        count = flying.size();
        return collected;
    }

    int count() {
        return count;
    }

    Map<String, Integer> busy() {
        return busy;
    }

    /** Hosts that cannot take one more. */
    Set<String> fullHosts(int perHost) {
        Set<String> full = new HashSet<>();
        busy.forEach((host, flights) -> {
            if (flights >= perHost) {
                full.add(host);
            }
        });
        return full;
    }

    Collection<Claim> claims() {
        return flying.values().stream().map(Flight::claim).toList();
    }
}
