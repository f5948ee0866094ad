package dev.escapement.crashtests.cluster.judge;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * One write that etcd has carried out.
 *
 * @param revision its place in the one order of all writes
 * @param kind of the object
 * @param path namespace and name of the object, or its name
 * @param before what was there; missing if nothing
 * @param after what is there then; missing if it was deleted
 */
public record EtcdChange(long revision, EtcdObjectKind kind, String path, JsonNode before, JsonNode after) {

    /** The object, whichever side of the change has it. */
    public JsonNode object() {
        return after.isMissingNode() ? before : after;
    }

    /** The uid of the object. A later one of the same name has another. */
    public String uid() {
        return object().path("metadata").path("uid").asText();
    }

    boolean isDeletion() {
        return after.isMissingNode();
    }
}
