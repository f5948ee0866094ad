package dev.escapement.cli.output;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.cli.client.ClientJson;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A target's document with names for its parts. What is missing is empty.
 *
 * @param document as the server sent it
 */
public record TargetJsonView(JsonNode document) {

    public String target() {
        return ClientJson.text(document, "/spec/targetResource");
    }

    public String objectName() {
        return ClientJson.text(document, "/metadata/name");
    }

    public String state() {
        return ClientJson.text(document, "/status/state");
    }

    /** The execution that holds it; empty if none does. */
    public String holder() {
        return executionName(document.at("/status/holder"));
    }

    public String holderWorkflow() {
        return ClientJson.text(document, "/status/holder/workflowId");
    }

    public Optional<Instant> heldSince() {
        return ClientJson.instant(document, "/status/holder/startedAt");
    }

    public String epoch() {
        return ClientJson.text(document, "/status/epoch");
    }

    /** How many executions in a row could not start, all workflows together. */
    public String failures() {
        return ClientJson.text(document, "/status/retry/consecutiveFailures");
    }

    /** When what is in the way now ends by itself. */
    public Optional<Instant> nextAllowed() {
        return ClientJson.instant(document, "/status/until")
                .or(() -> ClientJson.instant(document, "/status/retry/nextAllowedExecution"));
    }

    /** What is remembered of each workflow. */
    public List<JsonNode> workflows() {
        List<JsonNode> workflows = new ArrayList<>();
        document.at("/status/workflows").forEach(workflows::add);
        return workflows;
    }

    /** The failures that block it. */
    public List<JsonNode> blocks() {
        return workflows().stream()
                .map(workflow -> workflow.path("block"))
                .filter(JsonNode::isObject)
                .toList();
    }

    /** The last that ended on it, as far as it is remembered. */
    public Optional<JsonNode> lastEnded() {
        List<JsonNode> past = new ArrayList<>(blocks());
        workflows().forEach(workflow -> past.addAll(List.of(workflow.path("completed"), workflow.at("/retry/last"))));
        past.add(document.at("/status/retry/last"));
        return past.stream()
                .filter(JsonNode::isObject)
                .max(Comparator.comparing(
                        node -> ClientJson.instant(node, "/completedAt").orElse(Instant.MIN)));
    }

    /** An execution that a document refers to, as people type it. */
    public static String executionName(JsonNode ref) {
        String namespace = ClientJson.text(ref, "/namespace");
        String name = ClientJson.text(ref, "/name");
        return namespace.isEmpty() || namespace.equals(ExecutionJsonView.DEFAULT_NAMESPACE)
                ? name
                : namespace + "/" + name;
    }
}
