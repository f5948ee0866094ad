package dev.escapement.crashtests.cluster.judge;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The state after all faults, when every execution has finished.
 *
 * @param history every write
 * @param acknowledged names of the acknowledged executions, by uid
 * @param deleted uids of the executions whose deletion was requested
 * @param events the Events that the operator created
 * @param admittedLostClearances how often an operator logged that the Event of a clearance is lost if it exits
 * @param cooldown after a success
 * @param maxFailures number of consecutive executions that could not start after which a person must clear the target
 */
public record ClusterEvidence(
        EtcdHistory history,
        Map<String, String> acknowledged,
        Set<String> deleted,
        List<JsonNode> events,
        int admittedLostClearances,
        Duration cooldown,
        int maxFailures) {

    public ClusterEvidence {
        acknowledged = Map.copyOf(acknowledged);
        deleted = Set.copyOf(deleted);
        events = List.copyOf(events);
    }
}
