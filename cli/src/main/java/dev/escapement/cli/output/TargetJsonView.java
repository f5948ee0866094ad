package dev.escapement.cli.output;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.cli.client.ClientJson;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A target's document with names for its parts. What is missing is empty.
 *
 * @param document as the server sent it
 */
public record TargetJsonView(JsonNode document) {

    public String target() {
        return text("/spec/targetResource");
    }

    String objectName() {
        return text("/metadata/name");
    }

    String state() {
        return text("/status/state");
    }

    /** Returns the execution that holds the target; empty if there is none. */
    String holder() {
        return ExecutionJsonView.shortName(document.at("/status/holder"));
    }

    String epoch() {
        return text("/status/epoch");
    }

    /** Returns the number of failed starts in a row, of all workflows. */
    String failures() {
        return text("/status/retry/consecutiveFailures");
    }

    /** Returns when the current state ends by itself. */
    Optional<Instant> nextAllowed() {
        return ClientJson.instant(document, "/status/until")
                .or(() -> ClientJson.instant(document, "/status/retry/nextAllowedExecution"));
    }

    /** Returns what is remembered of each workflow. */
    Stream<JsonNode> workflows() {
        return document.at("/status/workflows").valueStream();
    }

    /** Returns the failures that block the target. */
    List<JsonNode> blocks() {
        return workflows()
                .map(workflow -> workflow.path("block"))
                .filter(JsonNode::isObject)
                .toList();
    }

    /** Returns the last execution that ended on the target, if one is remembered. */
    Optional<JsonNode> lastEnded() {
        Stream<JsonNode> ofWorkflows = workflows()
                .flatMap(workflow ->
                        Stream.of(workflow.path("block"), workflow.path("completed"), workflow.at("/retry/last")));
        return Stream.concat(ofWorkflows, Stream.of(document.at("/status/retry/last")))
                .filter(JsonNode::isObject)
                .max(Comparator.comparing(
                        past -> ClientJson.instant(past, "/completedAt").orElse(Instant.MIN)));
    }

    String text(String pointer) {
        return ClientJson.text(document, pointer);
    }
}
