package dev.escapement.crashtests.cluster.judge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Checks that nothing that was published is missing at the receivers of audit records and notifications. */
public record DeliveryCheck(List<JsonNode> events, ClusterDeliveries deliveries) {

    private static final String TRANSITION = "kubernaut.ai/transition";
    private static final Set<String> NOTABLE = Set.of("WorkflowSkipped", "WorkflowFailed", "BlockCleared");
    private static final JsonMapper JSON = JsonMapper.builder().build();

    /** Returns the transitions that the sink has not received. */
    public List<String> findRecordsMissingAtSink() {
        Set<String> arrived = deliveries.sinkRecords().stream()
                .map(record ->
                        key(record.path("event_type"), record.path("occurred_at"), record.path("target_resource")))
                .collect(Collectors.toSet());
        return transitions()
                .map(transition -> key(transition.path("type"), transition.path("at"), transition.path("target")))
                .filter(key -> !arrived.contains(key))
                .toList();
    }

    private Stream<JsonNode> transitions() {
        return events.stream()
                .map(event -> event.path("metadata").path("annotations").path(TRANSITION))
                .filter(JsonNode::isTextual)
                .map(text -> parse(text.asText()));
    }

    private static JsonNode parse(String text) {
        try {
            return JSON.readTree(text);
        } catch (IOException invalid) {
            throw new UncheckedIOException(invalid);
        }
    }

    private static String key(JsonNode type, JsonNode at, JsonNode target) {
        return "%s of %s at %s".formatted(type.asText(), target.asText(), at.asText());
    }

    /** Returns the records whose first arrival was after that of a later record of the same execution. */
    List<String> findDisorder() {
        Map<String, JsonNode> latest = new HashMap<>();
        Set<String> seen = new HashSet<>();
        List<String> found = new ArrayList<>();
        for (JsonNode record : deliveries.sinkRecords()) {
            int stage = stageOf(record.path("event_type").asText());
            if (!seen.add(record.path("id").asText()) || stage < 0) {
                continue;
            }
            JsonNode before = latest.put(record.path("execution_id").asText(), record);
            if (before != null && stageOf(before.path("event_type").asText()) > stage) {
                found.add("of %s: %s arrived before %s"
                        .formatted(record.path("execution").asText(), describe(before), describe(record)));
            }
        }
        return found;
    }

    /** With the Event, which tells who created it and when. */
    private String describe(JsonNode record) {
        return record.path("event_type").asText()
                + events.stream()
                        .filter(event -> event.path("reason").equals(record.path("event_type"))
                                && event.at("/involvedObject/uid").equals(record.path("execution_id")))
                        .map(event -> " (%s, version %s)"
                                .formatted(
                                        event.path("reportingInstance").asText(),
                                        event.at("/metadata/resourceVersion").asText()))
                        .collect(Collectors.joining());
    }

    private static int stageOf(String type) {
        return switch (type) {
            case "WorkflowAccepted" -> 0;
            case "PipelineRunCreated" -> 1;
            case "WorkflowSkipped", "WorkflowCompleted", "WorkflowFailed" -> 2;
            case "LockReleased" -> 3;
            default -> -1;
        };
    }

    /** Two operators that lead at once may count a skip twice, but none is left out. */
    List<String> findUnnotified() {
        long expected = transitions()
                .filter(transition -> NOTABLE.contains(transition.path("type").asText()))
                .count();
        long found = deliveries.notifications().stream()
                .mapToLong(
                        notification -> notification.at("/spec/context/count").asLong(1))
                .sum();
        return found >= expected
                ? List.of()
                : List.of("%d skips, failures and clearances, but notifications of %d".formatted(expected, found));
    }

    /** Returns the notifications that were not delivered. */
    public List<String> findUndelivered() {
        List<String> found = new ArrayList<>();
        for (JsonNode notification : deliveries.notifications()) {
            String name = notification.at("/metadata/name").asText();
            String phase = notification.at("/status/phase").asText();
            if (!phase.equals("Sent")) {
                found.add(name + " is " + phase);
            } else if (!deliveries.webhookIds().contains(name)) {
                found.add(name + " is Sent, but did not arrive");
            }
        }
        return found;
    }
}
