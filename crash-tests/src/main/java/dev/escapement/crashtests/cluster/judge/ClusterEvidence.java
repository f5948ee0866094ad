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
 * @param lostEntries object names of the ledger entries that were removed by force
 * @param executorOutages when Tekton was away, and shortly after
 * @param acknowledged names of the acknowledged executions, by uid
 * @param deleted uids of the executions whose deletion was requested
 * @param events the Events that the operator created
 * @param deliveries what reached the receivers of audit records and notifications
 * @param admittedLostClearances how often an operator logged that the Event of a clearance is lost if it exits
 * @param cooldown after a success
 * @param maxFailures number of consecutive executions that could not start after which a person must clear the target
 */
public record ClusterEvidence(
        EtcdHistory history,
        Set<String> lostEntries,
        List<RevisionRange> executorOutages,
        Map<String, String> acknowledged,
        Set<String> deleted,
        List<JsonNode> events,
        ClusterDeliveries deliveries,
        int admittedLostClearances,
        Duration cooldown,
        int maxFailures) {

    public ClusterEvidence {
        lostEntries = Set.copyOf(lostEntries);
        executorOutages = List.copyOf(executorOutages);
        acknowledged = Map.copyOf(acknowledged);
        deleted = Set.copyOf(deleted);
        events = List.copyOf(events);
    }

    /**
     * Returns the evidence without the targets whose entry was removed by force: the ledger cannot prove anything
     * there.
     */
    ClusterEvidence withoutLostEntries() {
        return new ClusterEvidence(
                history.withoutTargets(lostEntries),
                Set.of(),
                executorOutages,
                acknowledged,
                deleted,
                events,
                deliveries,
                admittedLostClearances,
                cooldown,
                maxFailures);
    }
}
