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
        EventCheck search = new EventCheck(evidence.history());
        for (JsonNode event : evidence.events()) {
            search.reasonsByUid
                    .computeIfAbsent(event.path("involvedObject").path("uid").asText(), first -> new ArrayList<>())
                    .add(event.path("reason").asText());
        }
        evidence.history().changesByUid(EtcdObjectKind.EXECUTION).keySet().forEach(search::checkExecution);
        search.checkClearances(evidence);
        return search.violations;
    }

    private void checkExecution(String uid) {
        List<String> published = reasonsByUid.getOrDefault(uid, List.of());
        Set<String> once = new HashSet<>();
        published.stream()
                .filter(reason -> !once.add(reason))
                .forEach(reason -> violations.add(
                        "%s of %s was published twice".formatted(reason, RunStartCheck.executionName(history, uid))));
        JsonNode execution = history.execution(uid, Long.MAX_VALUE);
        // Transitions of a deleted execution may be lost in a crash: there is no state left to derive them from.
        if (!execution.isMissingNode()) {
            expectedReasons(execution).stream()
                    .filter(reason -> !once.contains(reason))
                    .forEach(reason -> violations.add(
                            "%s of %s was not published".formatted(reason, RunStartCheck.executionName(history, uid))));
        }
    }

    private static Set<String> expectedReasons(JsonNode execution) {
        Set<String> wanted = new HashSet<>();
        switch (PhaseCheck.phase(execution)) {
            case "Skipped" -> wanted.add("WorkflowSkipped");
            case "Completed" -> wanted.add("WorkflowCompleted");
            case "Failed" -> wanted.add("WorkflowFailed");
            default -> {
                // No transition yet.
            }
        }
        if (execution.path("status").has("pipelineRunRef")) {
            wanted.add("PipelineRunCreated");
            wanted.add("LockReleased");
        }
        return wanted;
    }

    private void checkClearances(ClusterEvidence evidence) {
        long published = evidence.events().stream()
                .filter(event -> event.path("reason").asText().equals("BlockCleared"))
                .count();
        long made = history.entries().values().stream()
                .flatMap(List::stream)
                .filter(LedgerMemoryCheck::isClearance)
                .count();
        if (published > made || published < made - evidence.admittedLostClearances()) {
            violations.add("%d targets were cleared, %d clearances were published, %d were logged as lost in a crash"
                    .formatted(made, published, evidence.admittedLostClearances()));
        }
    }
}
