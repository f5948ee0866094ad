package dev.escapement.crashtests.cluster.judge;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Checks that each transition was published as an Event exactly once, also across kills of the operator. */
final class EventCheck {

    private final EtcdHistory history;
    private final Map<String, List<String>> reasonsByUid = new HashMap<>();
    private final List<String> violations = new ArrayList<>();

    private EventCheck(EtcdHistory history) {
        this.history = history;
    }

    static List<String> check(ClusterEvidence evidence) {
        EventCheck check = new EventCheck(evidence.history());
        for (JsonNode event : evidence.events()) {
            check.reasonsByUid
                    .computeIfAbsent(event.path("involvedObject").path("uid").asText(), uid -> new ArrayList<>())
                    .add(keyOf(event));
        }
        evidence.history().changesByUid(EtcdObjectKind.EXECUTION).keySet().forEach(check::checkExecution);
        check.checkClearances(evidence);
        return check.violations;
    }

    /** An execution may be delayed by one cause after another; the message begins with the cause. */
    private static String keyOf(JsonNode event) {
        String reason = event.path("reason").asText();
        String message = event.path("message").asText();
        return reason.equals("WorkflowPending") ? reason + " (" + message.split(":", 2)[0] + ")" : reason;
    }

    private void checkExecution(String uid) {
        List<String> published = reasonsByUid.getOrDefault(uid, List.of());
        Set<String> distinct = new HashSet<>();
        published.stream()
                .filter(reason -> !distinct.add(reason))
                .forEach(reason -> violations.add(
                        "%s of %s was published twice".formatted(reason, RunStartCheck.executionName(history, uid))));
        JsonNode execution = history.execution(uid, Long.MAX_VALUE);
        // Transitions of a deleted execution may be lost in a crash: there is no state left to derive them from.
        if (!execution.isMissingNode()) {
            expectedReasons(execution).stream()
                    .filter(reason -> !distinct.contains(reason))
                    .forEach(reason -> violations.add(
                            "%s of %s was not published".formatted(reason, RunStartCheck.executionName(history, uid))));
        }
    }

    private static Set<String> expectedReasons(JsonNode execution) {
        Set<String> expected = new HashSet<>();
        switch (PhaseCheck.phase(execution)) {
            case "Skipped" -> expected.add("WorkflowSkipped");
            case "Completed" -> expected.add("WorkflowCompleted");
            case "Failed" -> expected.add("WorkflowFailed");
            default -> {
                // No transition yet.
            }
        }
        if (execution.path("status").has("pipelineRunRef")) {
            expected.add("PipelineRunCreated");
            expected.add("LockReleased");
        }
        return expected;
    }

    private void checkClearances(ClusterEvidence evidence) {
        long published = evidence.events().stream()
                .filter(event -> event.path("reason").asText().equals("BlockCleared"))
                .count();
        long cleared = history.entries().values().stream()
                .flatMap(List::stream)
                .filter(LedgerMemoryCheck::isClearance)
                .count();
        if (published > cleared || published < cleared - evidence.admittedLostClearances()) {
            violations.add("%d targets were cleared, %d clearances were published, %d were logged as lost in a crash"
                    .formatted(cleared, published, evidence.admittedLostClearances()));
        }
    }
}
