package dev.escapement.crashtests.standalone;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Finds lost, repeated and disordered audit records and notifications. It is a pure function. */
record DeliveryJudge(DeliveryEvidence evidence) {

    /** Returns the violations of each promise. */
    Map<String, List<String>> checkPromises() {
        Map<String, List<String>> violations = new LinkedHashMap<>();
        violations.put("the audit trail has every transition once", findTrailDifferences());
        violations.put("the audit trail can be verified", findTrailProblems());
        violations.put("every audit record reached the sink", findRecordsMissingAtSink());
        violations.put("the sink got the records of a correlation id in order", findDisorder());
        violations.put("every skip, failure and clearance is in a notification", findUnnotified());
        violations.put("every notification was delivered", findUndelivered());
        return violations;
    }

    private List<String> findTrailDifferences() {
        Map<String, Integer> balance = new TreeMap<>();
        evidence.transitions().forEach(transition -> balance.merge(transitionKey(transition), 1, Integer::sum));
        evidence.trail().forEach(entry -> balance.merge(recordKey(entry.path("record")), -1, Integer::sum));
        return balance.entrySet().stream()
                .filter(each -> each.getValue() != 0)
                .map(each ->
                        "%s is %s in the trail".formatted(each.getKey(), each.getValue() > 0 ? "missing" : "extra"))
                .toList();
    }

    private static String transitionKey(JsonNode transition) {
        return key(transition.path("type"), transition.path("at"), transition.path("target"));
    }

    private static String recordKey(JsonNode record) {
        return key(record.path("event_type"), record.path("occurred_at"), record.path("target_resource"));
    }

    private static String key(JsonNode type, JsonNode at, JsonNode target) {
        return "%s of %s at %s".formatted(type.asText(), target.asText(), at.asText());
    }

    private List<String> findTrailProblems() {
        List<String> found = new ArrayList<>();
        evidence.verification().path("problems").forEach(problem -> found.add(problem.toString()));
        if (!evidence.verification().path("finished").asBoolean()) {
            found.add("the verification did not finish: " + evidence.verification());
        }
        return found;
    }

    private List<String> findRecordsMissingAtSink() {
        Set<String> arrived =
                evidence.sinkRecords().stream().map(DeliveryJudge::id).collect(Collectors.toSet());
        return evidence.trail().stream()
                .map(entry -> id(entry.path("record")))
                .filter(id -> !arrived.contains(id))
                .toList();
    }

    private static String id(JsonNode record) {
        return record.path("id").asText();
    }

    /** Repeated records may arrive at any time; the first arrivals must have the order of the trail. */
    private List<String> findDisorder() {
        Map<String, Integer> positions = new HashMap<>();
        for (JsonNode entry : evidence.trail()) {
            positions.putIfAbsent(id(entry.path("record")), positions.size());
        }
        List<String> found = new ArrayList<>();
        Map<String, Integer> last = new HashMap<>();
        Set<String> seen = new LinkedHashSet<>();
        for (JsonNode record : evidence.sinkRecords()) {
            Integer position = positions.get(id(record));
            if (!seen.add(id(record)) || position == null) {
                continue;
            }
            Integer before = last.put(record.path("correlation_id").asText(), position);
            if (before != null && before > position) {
                found.add("%s of %s arrived after a later one"
                        .formatted(id(record), record.path("correlation_id").asText()));
            }
        }
        return found;
    }

    private List<String> findUnnotified() {
        long expected = evidence.notableTransitions();
        long found = evidence.notifiedTransitions();
        return found == expected
                ? List.of()
                : List.of("%d skips, failures and clearances, but notifications of %d".formatted(expected, found));
    }

    private List<String> findUndelivered() {
        Set<String> names = new HashSet<>();
        List<String> found = new ArrayList<>();
        for (JsonNode notification : evidence.notifications()) {
            String name = notification.at("/metadata/name").asText();
            String phase = notification.at("/status/phase").asText();
            if (!names.add(name)) {
                found.add(name + " exists twice");
            } else if (!phase.equals("Sent")) {
                found.add(name + " is " + phase);
            } else if (!evidence.webhookIds().contains(name)) {
                found.add(name + " is Sent, but did not arrive");
            }
        }
        return found;
    }
}
