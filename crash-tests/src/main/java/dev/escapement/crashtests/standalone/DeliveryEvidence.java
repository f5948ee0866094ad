package dev.escapement.crashtests.standalone;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Set;

/**
 * What became of the audit records and the notifications, after everything was delivered.
 *
 * @param transitions the whole journal, in its order
 * @param trail the entries of the audit trail, in their order
 * @param verification the result of its verification
 * @param sinkRecords the records that reached the sink, in the order of their arrival
 * @param notifications all of them
 * @param webhookIds the names of the notifications that reached the webhook
 */
record DeliveryEvidence(
        List<JsonNode> transitions,
        List<JsonNode> trail,
        JsonNode verification,
        List<JsonNode> sinkRecords,
        List<JsonNode> notifications,
        Set<String> webhookIds) {

    private static final Set<String> NOTABLE = Set.of("WorkflowSkipped", "WorkflowFailed", "BlockCleared");

    /** Returns how many transitions a notification must be created for. */
    long notableTransitions() {
        return transitions.stream()
                .filter(transition -> NOTABLE.contains(transition.path("type").asText()))
                .count();
    }

    /** Returns how many transitions the notifications stand for. */
    long notifiedTransitions() {
        return notifications.stream()
                .mapToLong(
                        notification -> notification.at("/spec/context/count").asLong(1))
                .sum();
    }

    boolean isEverythingDelivered() {
        return trail.size() >= transitions.size()
                && sinkRecords.stream()
                                .map(record -> record.path("id").asText())
                                .distinct()
                                .count()
                        >= trail.size()
                && notifiedTransitions() >= notableTransitions()
                && notifications.stream()
                        .allMatch(notification ->
                                notification.at("/status/phase").asText().equals("Sent"));
    }
}
