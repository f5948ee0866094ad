package dev.escapement.server.cli.view;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.server.cli.api.Json;
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
public record TargetView(JsonNode document) {

    public String target() {
        return Json.text(document, "/spec/targetResource");
    }

    public String objectName() {
        return Json.text(document, "/metadata/name");
    }

    public String state() {
        return Json.text(document, "/status/state");
    }

    /** The execution that holds it; empty if none does. */
    public String holder() {
        return execution(document.at("/status/holder"));
    }

    public String holderWorkflow() {
        return Json.text(document, "/status/holder/workflowId");
    }

    public Optional<Instant> heldSince() {
        return Json.instant(document, "/status/holder/startedAt");
    }

    public String epoch() {
        return Json.text(document, "/status/epoch");
    }

    /** How many executions in a row could not start, all workflows together. */
    public String failures() {
        return Json.text(document, "/status/retry/consecutiveFailures");
    }

    /** When what is in the way now ends by itself. */
    public Optional<Instant> nextAllowed() {
        return Json.instant(document, "/status/until")
                .or(() -> Json.instant(document, "/status/retry/nextAllowedExecution"));
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
    public Optional<JsonNode> last() {
        List<JsonNode> past = new ArrayList<>(blocks());
        workflows().forEach(workflow -> past.addAll(List.of(workflow.path("completed"), workflow.at("/retry/last"))));
        past.add(document.at("/status/retry/last"));
        return past.stream()
                .filter(JsonNode::isObject)
                .max(Comparator.comparing(
                        node -> Json.instant(node, "/completedAt").orElse(Instant.MIN)));
    }

    /** An execution that a document refers to, as people type it. */
    public static String execution(JsonNode ref) {
        String namespace = Json.text(ref, "/namespace");
        String name = Json.text(ref, "/name");
        return namespace.isEmpty() || namespace.equals(ExecutionView.DEFAULT_NAMESPACE) ? name : namespace + "/" + name;
    }
}
