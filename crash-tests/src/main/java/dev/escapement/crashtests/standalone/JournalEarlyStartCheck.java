package dev.escapement.crashtests.standalone;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads the journal from its beginning, and remembers of every target what stands in the way. */
final class JournalEarlyStartCheck {

    /** One target as the journal tells it. */
    private static final class TargetState {
        String holder = "";
        String blockedBy = "";
        String failedBy = "";
        long nextAllowed;
        final Map<String, Long> completedAt = new HashMap<>();
    }

    private final StandaloneEvidence evidence;
    private final Map<String, TargetState> targets = new HashMap<>();
    private final List<String> violations = new ArrayList<>();

    private JournalEarlyStartCheck(StandaloneEvidence evidence) {
        this.evidence = evidence;
    }

    static List<String> check(StandaloneEvidence evidence) {
        JournalEarlyStartCheck search = new JournalEarlyStartCheck(evidence);
        evidence.journal().forEach(search::apply);
        return search.violations;
    }

    private void apply(JsonNode told) {
        TargetState past = targets.computeIfAbsent(told.path("target").asText(), fresh -> new TargetState());
        String name = StandaloneJudge.executionName(told);
        switch (told.path("type").asText()) {
            case "PipelineRunCreated" -> onStarted(told, name, past);
            case "WorkflowCompleted" -> {
                past.completedAt.put(
                        told.path("workflow").asText(),
                        epochNanos(told.path("at").asText()));
                past.nextAllowed = 0;
            }
            case "WorkflowFailed" -> onFailed(told, name, past);
            case "LockReleased" -> past.holder = "";
            case "BlockCleared" -> {
                past.blockedBy = "";
                past.nextAllowed = 0;
            }
            case "ExecutionDeleted" -> onDeleted(name, past);
            default -> {
                // It changes nothing for those that come later.
            }
        }
    }

    private void onStarted(JsonNode told, String name, TargetState past) {
        long at = epochNanos(told.path("at").asText());
        String target = told.path("target").asText();
        if (!past.holder.isEmpty()) {
            violations.add("%s took %s from %s".formatted(name, target, past.holder));
        }
        if (!past.blockedBy.isEmpty()) {
            violations.add("%s started on %s, which %s had broken".formatted(name, target, past.blockedBy));
        }
        if (at < past.nextAllowed) {
            violations.add("%s started on %s before its backoff was over".formatted(name, target));
        }
        Long completed = past.completedAt.get(told.path("workflow").asText());
        if (completed != null && at < completed + evidence.cooldownMillis() * 1_000_000) {
            violations.add("%s started on %s before its cooldown was over".formatted(name, target));
        }
        past.holder = name;
    }

    private static void onFailed(JsonNode told, String name, TargetState past) {
        JsonNode details = told.path("details");
        if (details.path("wasExecutionFailure").asText().equals("true")) {
            past.blockedBy = name;
        } else if (details.has("nextAllowedExecution")) {
            past.nextAllowed = epochNanos(details.path("nextAllowedExecution").asText());
            past.failedBy = name;
        }
    }

    /** Deleting what a target remembers resets that memory. */
    private static void onDeleted(String name, TargetState past) {
        if (past.blockedBy.equals(name)) {
            past.blockedBy = "";
        }
        if (past.failedBy.equals(name)) {
            past.nextAllowed = 0;
        }
    }

    static long epochNanos(String instant) {
        Instant at = Instant.parse(instant);
        return at.getEpochSecond() * 1_000_000_000L + at.getNano();
    }
}
