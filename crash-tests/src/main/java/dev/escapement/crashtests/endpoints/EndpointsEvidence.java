package dev.escapement.crashtests.endpoints;

import dev.escapement.crashtests.kit.RecordedCall;
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
 * @param endpointNames of the endpoints that were acknowledged
 * @param recordedCalls at the sink; the path is the endpoint's name
 * @param runs the whole history
 * @param settings what the endpoints and servers were given
 * @param stoppedAt when the servers were told to stop: slots after that need not have been run
 * @param withoutKills nobody was killed, so nothing is forgiven
 */
record EndpointsEvidence(
        Set<String> endpointNames,
        List<RecordedCall> recordedCalls,
        List<FinishedRun> runs,
        TestSettings settings,
        Instant stoppedAt,
        boolean withoutKills) {

    /**
     * What was agreed.
     *
     * @param interval of each endpoint
     * @param timeout of each call
     * @param leaseMargin by which a lease is longer
     * @param tolerance for a machine that is busy with killing and starting
     */
    record TestSettings(Duration interval, Duration timeout, Duration leaseMargin, Duration tolerance) {

        Duration lease() {
            return timeout.plus(leaseMargin);
        }
    }

    EndpointsEvidence {
        endpointNames = Set.copyOf(endpointNames);
        recordedCalls = List.copyOf(recordedCalls);
        runs = List.copyOf(runs);
    }

    /** In the order of their numbers, by endpoint. */
    Map<String, List<FinishedRun>> runsByEndpoint() {
        return runs.stream()
                .sorted(Comparator.comparingLong(FinishedRun::number))
                .collect(Collectors.groupingBy(FinishedRun::endpointName, TreeMap::new, Collectors.toList()));
    }

    /** In the order in which they came, by key. */
    Map<String, List<RecordedCall>> callsByKey() {
        return recordedCalls.stream()
                .sorted(Comparator.comparingLong(RecordedCall::epochMicros))
                .collect(Collectors.groupingBy(RecordedCall::key, TreeMap::new, Collectors.toList()));
    }
}
