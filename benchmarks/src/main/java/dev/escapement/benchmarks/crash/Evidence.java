package dev.escapement.benchmarks.crash;

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
 * @param witness what the workflows wrote, in its order
 * @param held targets that somebody still holds
 * @param cooldown of the policy, in milliseconds
 */
record Evidence(
        Map<String, String> acknowledged,
        Map<String, JsonNode> executions,
        List<JsonNode> journal,
        List<Witness.Line> witness,
        List<String> held,
        long cooldown) {

    String phase(String name) {
        return status(name).path("phase").asText();
    }

    JsonNode status(String name) {
        JsonNode document = executions.get(name);
        return document == null ? MissingNode.getInstance() : document.path("status");
    }
}
