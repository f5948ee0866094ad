package dev.escapement.benchmarks.clustercrash.judge;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Every no says why, and until when. */
final class Reasons {

    /** Nobody's failure, so nothing has to wait for it. */
    private static final Set<String> WITHDRAWN = Set.of("Cancelled", "ValidationError");

    private final History history;
    private final List<String> found = new ArrayList<>();

    private Reasons(History history) {
        this.history = history;
    }

    static List<String> in(History history) {
        Reasons search = new Reasons(history);
        history.lives(Kind.EXECUTION).keySet().forEach(search::judge);
        return search.found;
    }

    private void judge(String uid) {
        JsonNode execution = history.lastKnown(uid, Long.MAX_VALUE);
        JsonNode status = execution.path("status");
        switch (Phases.phase(execution)) {
            case "Skipped" -> skipped(uid, status.path("skipDetails"));
            case "Failed" -> failed(uid, status);
            default -> {
                // It was allowed.
            }
        }
    }

    private void skipped(String uid, JsonNode details) {
        String reason = details.path("reason").asText();
        if (reason.isEmpty() || details.path("message").asText().isEmpty()) {
            say(uid, "was skipped without a word");
        }
        boolean dated = details.hasNonNull("nextAllowedExecution");
        switch (reason) {
            case "ResourceBusy" ->
                busy(uid, details.path("conflictingWorkflow").path("uid").asText());
            case "RecentlyRemediated" -> {
                if (!dated) {
                    say(uid, "came too soon, and is not told until when");
                }
            }
            case "PreviousExecutionFailed", "ExhaustedRetries" -> {
                if (details.path("recentRemediation").path("uid").asText().isEmpty()) {
                    say(uid, "is blocked, and is not told by what");
                }
            }
            default -> say(uid, "was skipped for '" + reason + "', which is no reason");
        }
    }

    /** Whoever is said to be in the way has been there. */
    private void busy(String uid, String conflicting) {
        String target = spec(uid).path("targetResource").asText();
        boolean held = history.entries().values().stream()
                .flatMap(List::stream)
                .anyMatch(change -> Entries.holderUid(change.after()).equals(conflicting));
        if (conflicting.isEmpty() || !held) {
            say(uid, "is told that %s is busy with '%s', which never held it".formatted(target, conflicting));
        }
    }

    private void failed(String uid, JsonNode status) {
        JsonNode failure = status.path("failureDetails");
        String reason = failure.path("reason").asText();
        if (reason.isEmpty()
                || failure.path("message").asText().isEmpty()
                || failure.path("naturalLanguageSummary").asText().isEmpty()
                || !failure.has("wasExecutionFailure")) {
            say(uid, "failed without a word");
        }
        boolean during = failure.path("wasExecutionFailure").asBoolean();
        if (during && !failure.path("requiresManualReview").asBoolean()) {
            say(uid, "failed while it ran, and nobody is told to look");
        }
        if (!during && !WITHDRAWN.contains(reason) && !status.hasNonNull("nextAllowedExecution")) {
            say(uid, "could not start, and is not told until when");
        }
    }

    private JsonNode spec(String uid) {
        return history.lastKnown(uid, Long.MAX_VALUE).path("spec");
    }

    private void say(String uid, String what) {
        found.add(Starts.name(history, uid) + " " + what);
    }
}
