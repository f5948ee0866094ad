package dev.escapement.crashtests.cluster.judge;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * All that is known after the last fault.
 *
 * @param history every write
 * @param acknowledged the executions whose creation was answered with yes, by uid, each with its name
 * @param deleted the uids of those that somebody meant to delete
 * @param events what was told to people, as Kubernetes keeps it
 * @param admittedLostClearances how many clearances an operator said it could not tell in time and would lose if it was
 *     killed
 * @param cooldown after a success
 * @param maxFailures so many executions in a row that could not start, and a person must look
 */
public record ClusterEvidence(
        EtcdHistory history,
        Map<String, String> acknowledged,
        Set<String> deleted,
        List<JsonNode> events,
        int admittedLostClearances,
        Duration cooldown,
        int maxFailures) {

    /** Copies. */
    public ClusterEvidence {
        acknowledged = Map.copyOf(acknowledged);
        deleted = Set.copyOf(deleted);
        events = List.copyOf(events);
    }
}
