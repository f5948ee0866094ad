package dev.escapement.crashtests.cluster.judge;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Checks that every skip and failure has a reason and, where time helps, a time. */
final class ReasonCheck {

    /** Not counted as failures, so without a backoff. */
    private static final Set<String> REASONS_WITHOUT_BACKOFF = Set.of("Cancelled", "ValidationError");

    private final EtcdHistory history;
    private final List<String> violations = new ArrayList<>();

    private ReasonCheck(EtcdHistory history) {
        this.history = history;
    }

    static List<String> check(EtcdHistory history) {
        ReasonCheck check = new ReasonCheck(history);
        history.changesByUid(EtcdObjectKind.EXECUTION).keySet().forEach(check::checkExecution);
        return check.violations;
    }

    private void checkExecution(String uid) {
        JsonNode execution = history.lastKnown(uid, Long.MAX_VALUE);
        JsonNode status = execution.path("status");
        switch (PhaseCheck.phase(execution)) {
            case "Skipped" -> checkSkipped(uid, status.path("skipDetails"));
            case "Failed" -> checkFailed(uid, status);
            default -> {
                // Admitted: nothing to explain.
            }
        }
    }

    private void checkSkipped(String uid, JsonNode details) {
        String reason = details.path("reason").asText();
        if (reason.isEmpty() || details.path("message").asText().isEmpty()) {
            addViolation(uid, "was skipped without reason or message");
        }
        boolean dated = details.hasNonNull("nextAllowedExecution");
        switch (reason) {
            case "ResourceBusy" ->
                checkBusy(uid, details.path("conflictingWorkflow").path("uid").asText());
            case "RecentlyRemediated" -> {
                if (!dated) {
                    addViolation(uid, "was skipped as too early, without nextAllowedExecution");
                }
            }
            case "PreviousExecutionFailed", "ExhaustedRetries" -> {
                if (details.path("recentRemediation").path("uid").asText().isEmpty()) {
                    addViolation(uid, "is blocked, without recentRemediation");
                }
            }
            default -> addViolation(uid, "was skipped for the unknown reason '" + reason + "'");
        }
    }

    /** The conflicting execution that a skip names must have held the target. */
    private void checkBusy(String uid, String conflicting) {
        String target = specOf(uid).path("targetResource").asText();
        boolean held = history.entries().values().stream()
                .flatMap(List::stream)
                .anyMatch(change -> LedgerEntryReader.holderUid(change.after()).equals(conflicting));
        if (conflicting.isEmpty() || !held) {
            addViolation(
                    uid, "was skipped because %s is held by '%s', which never held it".formatted(target, conflicting));
        }
    }

    private void checkFailed(String uid, JsonNode status) {
        JsonNode failure = status.path("failureDetails");
        String reason = failure.path("reason").asText();
        if (reason.isEmpty()
                || failure.path("message").asText().isEmpty()
                || failure.path("naturalLanguageSummary").asText().isEmpty()
                || !failure.has("wasExecutionFailure")) {
            addViolation(uid, "failed without reason, message or summary");
        }
        boolean during = failure.path("wasExecutionFailure").asBoolean();
        if (during && !failure.path("requiresManualReview").asBoolean()) {
            addViolation(uid, "failed during execution, without requiresManualReview");
        }
        // The failure that reaches the limit has no nextAllowedExecution.
        if (!during && !REASONS_WITHOUT_BACKOFF.contains(reason) && !status.hasNonNull("consecutiveFailures")) {
            addViolation(uid, "failed before execution, without consecutiveFailures");
        }
    }

    private JsonNode specOf(String uid) {
        return history.lastKnown(uid, Long.MAX_VALUE).path("spec");
    }

    private void addViolation(String uid, String what) {
        violations.add(RunStartCheck.executionName(history, uid) + " " + what);
    }
}
