package dev.escapement.crashtests.cluster.judge;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Set;

/**
 * What reached the receivers.
 *
 * @param sinkRecords audit records in the order of their arrival
 * @param notifications the NotificationRequests of the cluster
 * @param webhookIds the names of the notifications that reached the webhook
 */
public record ClusterDeliveries(List<JsonNode> sinkRecords, List<JsonNode> notifications, Set<String> webhookIds) {

    public ClusterDeliveries {
        sinkRecords = List.copyOf(sinkRecords);
        notifications = List.copyOf(notifications);
        webhookIds = Set.copyOf(webhookIds);
    }
}
