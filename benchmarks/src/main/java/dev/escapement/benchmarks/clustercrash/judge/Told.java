package dev.escapement.benchmarks.clustercrash.judge;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Each transition is told as an Event, once, also if whoever made it was killed before telling. */
final class Told {

    private final History history;
    private final Map<String, List<String>> reasons = new HashMap<>();
    private final List<String> found = new ArrayList<>();

    private Told(History history) {
        this.history = history;
    }

    static List<String> in(Evidence evidence) {
        Told search = new Told(evidence.history());
        for (JsonNode event : evidence.events()) {
            search.reasons
                    .computeIfAbsent(event.path("involvedObject").path("uid").asText(), first -> new ArrayList<>())
                    .add(event.path("reason").asText());
        }
        evidence.history().lives(Kind.EXECUTION).keySet().forEach(search::judge);
        search.clearances(evidence);
        return search.found;
    }

    private void judge(String uid) {
        List<String> told = reasons.getOrDefault(uid, List.of());
        Set<String> once = new HashSet<>();
        told.stream()
                .filter(reason -> !once.add(reason))
                .forEach(reason -> found.add("%s of %s was told twice".formatted(reason, Starts.name(history, uid))));
        JsonNode execution = history.execution(uid, Long.MAX_VALUE);
        // Of one that was deleted, a crash may leave something untold: there is nothing to derive it from.
        if (!execution.isMissingNode()) {
            expected(execution).stream()
                    .filter(reason -> !once.contains(reason))
                    .forEach(reason -> found.add("%s of %s was not told".formatted(reason, Starts.name(history, uid))));
        }
    }

    private static Set<String> expected(JsonNode execution) {
        Set<String> wanted = new HashSet<>();
        switch (Phases.phase(execution)) {
            case "Skipped" -> wanted.add("WorkflowSkipped");
            case "Completed" -> wanted.add("WorkflowCompleted");
            case "Failed" -> wanted.add("WorkflowFailed");
            default -> {
                // Not yet.
            }
        }
        if (execution.path("status").has("pipelineRunRef")) {
            wanted.add("PipelineRunCreated");
            wanted.add("LockReleased");
        }
        return wanted;
    }

    private void clearances(Evidence evidence) {
        long told = evidence.events().stream()
                .filter(event -> event.path("reason").asText().equals("BlockCleared"))
                .count();
        long made = history.entries().values().stream()
                .flatMap(List::stream)
                .filter(Memories::isCleared)
                .count();
        if (told > made || told < made - evidence.admittedUntold()) {
            found.add("%d targets were cleared, %d clearances were told, and %d were said to be lost in a crash"
                    .formatted(made, told, evidence.admittedUntold()));
        }
    }
}
