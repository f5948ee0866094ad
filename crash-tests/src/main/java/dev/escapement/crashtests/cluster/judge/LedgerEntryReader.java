package dev.escapement.crashtests.cluster.judge;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads fields of ledger entries. */
final class LedgerEntryReader {

    private LedgerEntryReader() {}

    static JsonNode holder(JsonNode entry) {
        return entry.path("status").path("holder");
    }

    /** Returns the uid of the holder; empty if the target is free. */
    static String holderUid(JsonNode entry) {
        return holder(entry).path("uid").asText();
    }

    static long epoch(JsonNode entry) {
        return entry.path("status").path("epoch").asLong();
    }

    static String target(JsonNode entry) {
        return entry.path("spec").path("targetResource").asText();
    }

    /** Returns the executions that block the target. */
    static List<JsonNode> blocks(JsonNode entry) {
        return pastExecutions(entry, "block");
    }

    static List<JsonNode> completedExecutions(JsonNode entry) {
        return pastExecutions(entry, "completed");
    }

    private static List<JsonNode> pastExecutions(JsonNode entry, String what) {
        List<JsonNode> found = new ArrayList<>();
        for (JsonNode workflow : entry.path("status").path("workflows")) {
            if (workflow.has(what)) {
                found.add(workflow.path(what));
            }
        }
        return found;
    }

    static JsonNode failureStreak(JsonNode entry) {
        return entry.path("status").path("retry");
    }

    static Optional<Instant> nextAllowed(JsonNode entry) {
        return parseTime(failureStreak(entry).path("nextAllowedExecution"));
    }

    static Optional<Instant> parseTime(JsonNode value) {
        return value.asText().isEmpty() ? Optional.empty() : Optional.of(Instant.parse(value.asText()));
    }

    /** Returns whether the entry contains that execution as block, completion or last failure. */
    static boolean contains(JsonNode entry, String uid) {
        List<JsonNode> executions = new ArrayList<>(blocks(entry));
        executions.addAll(completedExecutions(entry));
        executions.add(failureStreak(entry).path("last"));
        return executions.stream().anyMatch(past -> past.path("uid").asText().equals(uid));
    }

    static JsonNode clearance(JsonNode entry) {
        return entry.path("status").path("clearance");
    }
}
