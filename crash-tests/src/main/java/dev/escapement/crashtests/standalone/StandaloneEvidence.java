package dev.escapement.crashtests.standalone;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.List;
import java.util.Map;

/**
 * All that is known after the last kill.
 *
 * @param acknowledged the names of the executions whose request was answered with yes, each with its target
 * @param executions every document that is left, by name
 * @param journal every transition, in its order
 * @param witnessLines what the workflows wrote, in its order
 * @param heldTargets targets that somebody still holds
 * @param cooldownMillis of the policy, in milliseconds
 */
record StandaloneEvidence(
        Map<String, String> acknowledged,
        Map<String, JsonNode> executions,
        List<JsonNode> journal,
        List<WitnessFile.Line> witnessLines,
        List<String> heldTargets,
        long cooldownMillis) {

    String phase(String name) {
        return status(name).path("phase").asText();
    }

    JsonNode status(String name) {
        JsonNode document = executions.get(name);
        return document == null ? MissingNode.getInstance() : document.path("status");
    }
}
