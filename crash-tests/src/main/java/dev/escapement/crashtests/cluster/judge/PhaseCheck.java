package dev.escapement.crashtests.cluster.judge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Checks that phases change only as the specification allows, and that the status of a final phase does not change. */
final class PhaseCheck {

    private static final Map<String, Set<String>> ALLOWED_TRANSITIONS = Map.of(
            "Pending", Set.of("Pending", "Running", "Skipped", "Failed"),
            "Running", Set.of("Running", "Completed", "Failed"),
            "Completed", Set.of("Completed"),
            "Failed", Set.of("Failed"),
            "Skipped", Set.of("Skipped"));

    private static final Set<String> FINAL_PHASES = Set.of("Completed", "Failed", "Skipped");

    private PhaseCheck() {}

    static String phase(JsonNode execution) {
        String phase = execution.path("status").path("phase").asText();
        return phase.isEmpty() ? "Pending" : phase;
    }

    static boolean isFinal(JsonNode execution) {
        return FINAL_PHASES.contains(phase(execution));
    }

    static List<String> check(EtcdHistory history) {
        List<String> found = new ArrayList<>();
        for (List<EtcdChange> life :
                history.changesByUid(EtcdObjectKind.EXECUTION).values()) {
            for (EtcdChange change : life) {
                if (!change.before().isMissingNode() && !change.isDeletion()) {
                    checkChange(change, found);
                }
            }
        }
        return found;
    }

    private static void checkChange(EtcdChange change, List<String> found) {
        String before = phase(change.before());
        String after = phase(change.after());
        if (!ALLOWED_TRANSITIONS.getOrDefault(before, Set.of()).contains(after)) {
            found.add("%s changed from %s to %s at revision %d"
                    .formatted(change.path(), before, after, change.revision()));
        } else if (FINAL_PHASES.contains(before)
                && !statusWithoutClearance(change.before()).equals(statusWithoutClearance(change.after()))) {
            found.add("%s was %s, and its status changed at revision %d"
                    .formatted(change.path(), before, change.revision()));
        }
    }

    /** A clearance is recorded in the status of the execution that caused the block. */
    private static JsonNode statusWithoutClearance(JsonNode execution) {
        JsonNode status = execution.path("status").deepCopy();
        if (status instanceof ObjectNode fields) {
            fields.remove("blockClearance");
        }
        return status;
    }
}
