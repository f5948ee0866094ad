package dev.escapement.benchmarks.clustercrash.judge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Phases only move as the specification allows, and what is final stays. */
final class Phases {

    private static final Map<String, Set<String>> ALLOWED = Map.of(
            "Pending", Set.of("Pending", "Running", "Skipped", "Failed"),
            "Running", Set.of("Running", "Completed", "Failed"),
            "Completed", Set.of("Completed"),
            "Failed", Set.of("Failed"),
            "Skipped", Set.of("Skipped"));

    private static final Set<String> FINAL = Set.of("Completed", "Failed", "Skipped");

    private Phases() {}

    static String phase(JsonNode execution) {
        String phase = execution.path("status").path("phase").asText();
        return phase.isEmpty() ? "Pending" : phase;
    }

    static boolean isFinal(JsonNode execution) {
        return FINAL.contains(phase(execution));
    }

    static List<String> in(History history) {
        List<String> found = new ArrayList<>();
        for (List<Change> life : history.lives(Kind.EXECUTION).values()) {
            for (Change change : life) {
                if (!change.before().isMissingNode() && !change.isDeletion()) {
                    judge(change, found);
                }
            }
        }
        return found;
    }

    private static void judge(Change change, List<String> found) {
        String before = phase(change.before());
        String after = phase(change.after());
        if (!ALLOWED.getOrDefault(before, Set.of()).contains(after)) {
            found.add(
                    "%s went from %s to %s at revision %d".formatted(change.path(), before, after, change.revision()));
        } else if (FINAL.contains(before) && !lasting(change.before()).equals(lasting(change.after()))) {
            found.add("%s was %s, and its status changed at revision %d"
                    .formatted(change.path(), before, change.revision()));
        }
    }

    /** A person may clear what an execution has blocked, and that is written on it. */
    private static JsonNode lasting(JsonNode execution) {
        JsonNode status = execution.path("status").deepCopy();
        if (status instanceof ObjectNode fields) {
            fields.remove("blockClearance");
        }
        return status;
    }
}
