package dev.escapement.benchmarks.endpoints.crash;

import dev.escapement.benchmarks.endpoints.Arrival;
import dev.escapement.endpoints.model.FinishedRun;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * All that is known after the last server has stopped.
 *
 * @param names of the endpoints that were acknowledged
 * @param arrivals at the sink; the path is the endpoint's name
 * @param runs the whole history
 * @param terms what the endpoints and servers were given
 * @param until when the servers were told to stop: slots after that need not have been run
 * @param calm nobody was killed, so nothing is forgiven
 */
record Evidence(
        Set<String> names, List<Arrival> arrivals, List<FinishedRun> runs, Terms terms, Instant until, boolean calm) {

    /**
     * What was agreed.
     *
     * @param interval of each endpoint
     * @param timeout of each call
     * @param margin by which a lease is longer
     * @param slack for a machine that is busy with killing and starting
     */
    record Terms(Duration interval, Duration timeout, Duration margin, Duration slack) {

        Duration lease() {
            return timeout.plus(margin);
        }
    }

    Evidence {
        names = Set.copyOf(names);
        arrivals = List.copyOf(arrivals);
        runs = List.copyOf(runs);
    }

    /** In the order of their numbers, by endpoint. */
    Map<String, List<FinishedRun>> runsByName() {
        return runs.stream()
                .sorted(Comparator.comparingLong(FinishedRun::number))
                .collect(Collectors.groupingBy(FinishedRun::endpointName, TreeMap::new, Collectors.toList()));
    }

    /** In the order in which they came, by key. */
    Map<String, List<Arrival>> arrivalsByKey() {
        return arrivals.stream()
                .sorted(Comparator.comparingLong(Arrival::micros))
                .collect(Collectors.groupingBy(Arrival::key, TreeMap::new, Collectors.toList()));
    }
}
