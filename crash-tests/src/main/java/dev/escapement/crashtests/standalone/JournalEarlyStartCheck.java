package dev.escapement.crashtests.standalone;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Replays the journal and checks that no execution started while its target was held, blocked, backing off or cooling
 * down.
 */
final class JournalEarlyStartCheck {

    /** The state of one target at a position of the journal. */
    private static final class TargetState {
        String holder = "";
        String blockedBy = "";
        String failedBy = "";
        long nextAllowed;

        /** The last completion of each workflow. */
        final Map<String, JsonNode> completions = new HashMap<>();
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

    private void apply(JsonNode transition) {
        TargetState state = targets.computeIfAbsent(transition.path("target").asText(), target -> new TargetState());
        String name = StandaloneJudge.executionName(transition);
        switch (transition.path("type").asText()) {
            case "PipelineRunCreated" -> onStarted(transition, name, state);
            case "WorkflowCompleted" -> {
                state.completions.put(transition.path("workflow").asText(), transition);
                state.nextAllowed = 0;
            }
            case "WorkflowFailed" -> onFailed(transition, name, state);
            case "LockReleased" -> state.holder = "";
            case "BlockCleared" -> {
                state.blockedBy = "";
                state.nextAllowed = 0;
            }
            case "ExecutionDeleted" -> onDeleted(name, state);
            default -> {
                // No effect on later executions.
            }
        }
    }

    private void onStarted(JsonNode transition, String name, TargetState state) {
        long at = epochNanos(transition.path("at").asText());
        String target = transition.path("target").asText();
        if (!state.holder.isEmpty()) {
            violations.add("%s acquired %s while %s held it".formatted(name, target, state.holder));
        }
        if (!state.blockedBy.isEmpty()) {
            violations.add("%s started on %s, which %s had blocked".formatted(name, target, state.blockedBy));
        }
        if (at < state.nextAllowed) {
            violations.add("%s started on %s during its backoff".formatted(name, target));
        }
        JsonNode completion = state.completions.get(transition.path("workflow").asText());
        if (completion != null
                && at < epochNanos(completion.path("at").asText()) + evidence.cooldownMillis() * 1_000_000) {
            violations.add("%s started on %s during its cooldown".formatted(name, target));
        }
        state.holder = name;
    }

    private static void onFailed(JsonNode transition, String name, TargetState state) {
        JsonNode details = transition.path("details");
        if (details.path("wasExecutionFailure").asText().equals("true")) {
            state.blockedBy = name;
        } else if (details.has("nextAllowedExecution")
                // An invalid request holds back only its own workflow.
                && !transition.path("reason").asText().equals("ValidationError")) {
            state.nextAllowed = epochNanos(details.path("nextAllowedExecution").asText());
            state.failedBy = name;
        }
    }

    /** Deleting an execution resets the block, the backoff or the cooldown that it caused. */
    private static void onDeleted(String name, TargetState state) {
        state.completions
                .values()
                .removeIf(
                        completion -> StandaloneJudge.executionName(completion).equals(name));
        if (state.blockedBy.equals(name)) {
            state.blockedBy = "";
        }
        if (state.failedBy.equals(name)) {
            state.nextAllowed = 0;
        }
    }

    static long epochNanos(String instant) {
        Instant at = Instant.parse(instant);
        return at.getEpochSecond() * 1_000_000_000L + at.getNano();
    }
}
