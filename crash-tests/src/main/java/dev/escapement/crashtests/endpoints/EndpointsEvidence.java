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
 * The state after all servers have stopped.
 *
 * @param endpointNames names of the acknowledged endpoints
 * @param recordedCalls calls at the sink; the path is the name of the endpoint
 * @param runs the whole history
 * @param settings of the endpoints and servers
 * @param stoppedAt when the servers were stopped: later slots need no run
 * @param withoutKills whether no server was killed, so that every slot must be called exactly once
 */
record EndpointsEvidence(
        Set<String> endpointNames,
        List<RecordedCall> recordedCalls,
        List<FinishedRun> runs,
        TestSettings settings,
        Instant stoppedAt,
        boolean withoutKills) {

    /**
     * The settings of the test.
     *
     * @param interval of each endpoint
     * @param timeout of each call
     * @param leaseMargin by which a lease is longer than the timeout
     * @param tolerance for a machine that is busy with starting servers
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

    /** Returns the runs by endpoint, in the order of their numbers. */
    Map<String, List<FinishedRun>> runsByEndpoint() {
        return runs.stream()
                .sorted(Comparator.comparingLong(FinishedRun::number))
                .collect(Collectors.groupingBy(FinishedRun::endpointName, TreeMap::new, Collectors.toList()));
    }

    /** Returns the calls by key, in the order of their arrival. */
    Map<String, List<RecordedCall>> callsByKey() {
        return recordedCalls.stream()
                .sorted(Comparator.comparingLong(RecordedCall::epochMicros))
                .collect(Collectors.groupingBy(RecordedCall::key, TreeMap::new, Collectors.toList()));
    }
}
