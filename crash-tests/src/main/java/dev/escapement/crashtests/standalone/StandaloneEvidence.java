package dev.escapement.crashtests.standalone;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.List;
import java.util.Map;

/**
 * The state after all kills, when every execution has finished.
 *
 * @param acknowledged targets of the acknowledged executions, by the name of the execution
 * @param executions every stored execution, by name
 * @param journal all transitions, in their order
 * @param witnessLines what the workflows wrote, in its order
 * @param heldTargets targets that are still held
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
