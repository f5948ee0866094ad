package dev.escapement.cli.client;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * One event as the server sent it.
 *
 * @param id where it stands in the journal; empty for what is not in it
 * @param type what happened
 * @param data what else is known
 */
public record ServerEvent(String id, String type, JsonNode data) {

    /** Events of this type say how far a run is; they are not in the journal. */
    public static final String PROGRESS = "Progress";

    /** Whether it is about this execution; one that was made later may have the same name but not the same uid. */
    public boolean isAbout(String uid) {
        return ClientJson.text(data, "/execution/uid").equals(uid);
    }

    /** Whether nothing comes after it for the execution that it is about. */
    public boolean isLastOfExecution() {
        return switch (type) {
            case "WorkflowCompleted", "WorkflowFailed", "WorkflowSkipped", "ExecutionDeleted" -> true;
            default -> false;
        };
    }

    /** A part of it as text; empty if there is none. */
    public String text(String pointer) {
        return ClientJson.text(data, pointer);
    }
}
