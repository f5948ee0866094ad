package dev.escapement.benchmarks.crash;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads the journal from its beginning, and remembers of every target what stands in the way. */
final class TooSoon {

    /** One target as the journal tells it. */
    private static final class Past {
        String holder = "";
        String blockedBy = "";
        String failedBy = "";
        long nextAllowed;
        final Map<String, Long> completed = new HashMap<>();
    }

    private final Evidence evidence;
    private final Map<String, Past> targets = new HashMap<>();
    private final List<String> found = new ArrayList<>();

    private TooSoon(Evidence evidence) {
        this.evidence = evidence;
    }

    static List<String> in(Evidence evidence) {
        TooSoon search = new TooSoon(evidence);
        evidence.journal().forEach(search::read);
        return search.found;
    }

    private void read(JsonNode told) {
        Past past = targets.computeIfAbsent(told.path("target").asText(), fresh -> new Past());
        String name = Judge.name(told);
        switch (told.path("type").asText()) {
            case "PipelineRunCreated" -> started(told, name, past);
            case "WorkflowCompleted" -> {
                past.completed.put(
                        told.path("workflow").asText(), nanos(told.path("at").asText()));
                past.nextAllowed = 0;
            }
            case "WorkflowFailed" -> failed(told, name, past);
            case "LockReleased" -> past.holder = "";
            case "BlockCleared" -> {
                past.blockedBy = "";
                past.nextAllowed = 0;
            }
            case "ExecutionDeleted" -> deleted(name, past);
            default -> {
                // It changes nothing for those that come later.
            }
        }
    }

    private void started(JsonNode told, String name, Past past) {
        long at = nanos(told.path("at").asText());
        String target = told.path("target").asText();
        if (!past.holder.isEmpty()) {
            found.add("%s took %s from %s".formatted(name, target, past.holder));
        }
        if (!past.blockedBy.isEmpty()) {
            found.add("%s started on %s, which %s had broken".formatted(name, target, past.blockedBy));
        }
        if (at < past.nextAllowed) {
            found.add("%s started on %s before its backoff was over".formatted(name, target));
        }
        Long completed = past.completed.get(told.path("workflow").asText());
        if (completed != null && at < completed + evidence.cooldown() * 1_000_000) {
            found.add("%s started on %s before its cooldown was over".formatted(name, target));
        }
        past.holder = name;
    }

    private static void failed(JsonNode told, String name, Past past) {
        JsonNode details = told.path("details");
        if (details.path("wasExecutionFailure").asText().equals("true")) {
            past.blockedBy = name;
        } else if (details.has("nextAllowedExecution")) {
            past.nextAllowed = nanos(details.path("nextAllowedExecution").asText());
            past.failedBy = name;
        }
    }

    /** Deleting what a target remembers resets that memory. */
    private static void deleted(String name, Past past) {
        if (past.blockedBy.equals(name)) {
            past.blockedBy = "";
        }
        if (past.failedBy.equals(name)) {
            past.nextAllowed = 0;
        }
    }

    static long nanos(String instant) {
        Instant at = Instant.parse(instant);
        return at.getEpochSecond() * 1_000_000_000L + at.getNano();
    }
}
