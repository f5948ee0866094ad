package dev.escapement.crashtests.cluster.judge;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads ledger entries. */
final class LedgerEntryReader {

    private LedgerEntryReader() {}

    static JsonNode holder(JsonNode entry) {
        return entry.path("status").path("holder");
    }

    /** The uid of the execution that holds the target; empty if none does. */
    static String holderUid(JsonNode entry) {
        return holder(entry).path("uid").asText();
    }

    static long epoch(JsonNode entry) {
        return entry.path("status").path("epoch").asLong();
    }

    static String target(JsonNode entry) {
        return entry.path("spec").path("targetResource").asText();
    }

    /** The executions that ran and failed, and that nobody has cleared. */
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

    /** Whether the entry remembers that execution in any way. */
    static boolean remembers(JsonNode entry, String uid) {
        List<JsonNode> pasts = new ArrayList<>(blocks(entry));
        pasts.addAll(completedExecutions(entry));
        pasts.add(failureStreak(entry).path("last"));
        return pasts.stream().anyMatch(past -> past.path("uid").asText().equals(uid));
    }

    static JsonNode clearance(JsonNode entry) {
        return entry.path("status").path("clearance");
    }
}
