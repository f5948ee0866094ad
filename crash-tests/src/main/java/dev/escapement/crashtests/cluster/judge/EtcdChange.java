package dev.escapement.crashtests.cluster.judge;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * One write to etcd.
 *
 * @param revision its position in the order of all writes
 * @param kind of the object
 * @param path namespace and name of the object, or its name
 * @param before the object before the write; missing if it did not exist
 * @param after the object after the write; missing if it was deleted
 */
public record EtcdChange(long revision, EtcdObjectKind kind, String path, JsonNode before, JsonNode after) {

    /** Returns the object after the write, or before it if it was deleted. */
    public JsonNode object() {
        return after.isMissingNode() ? before : after;
    }

    /** Returns the uid of the object, which differs from that of a later object with the same name. */
    public String uid() {
        return object().path("metadata").path("uid").asText();
    }

    boolean isDeletion() {
        return after.isMissingNode();
    }
}
