package dev.escapement.cli.client;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * An event of the server.
 *
 * @param id position in the journal; empty for an event that is not stored there
 * @param type such as {@code WorkflowSkipped}
 * @param data details
 */
public record ServerEvent(String id, String type, JsonNode data) {

    /** Type of events that report the progress of a run; they are not in the journal. */
    public static final String PROGRESS = "Progress";

    /** Compares uids: a later execution may have the same name. */
    public boolean isAbout(String executionUid) {
        return ClientJson.text(data, "/execution/uid").equals(executionUid);
    }

    /** Returns a field of the data, empty if missing. */
    public String text(String pointer) {
        return ClientJson.text(data, pointer);
    }
}
