package dev.escapement.benchmarks.kubernetes;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Instant;
import java.util.Set;

/**
 * A request in the audit log, which has a line for each response.
 *
 * @param user who sent it
 * @param verb such as {@code create}
 * @param resource such as {@code workflowexecutions/status}; the path if it was for no resource
 * @param name of the object; empty if it was for several
 * @param code of the response
 * @param answeredAt time of the response
 */
record AuditedRequest(String user, String verb, String resource, String name, int code, Instant answeredAt) {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Set<String> READ_VERBS = Set.of("get", "list", "head");
    private static final int FIRST_ERROR_CODE = 400;

    /** Requests are counted separately by kind. */
    enum Kind {
        WRITE,
        READ,
        WATCH,
        EVENT,
        LEASE
    }

    /**
     * Parses a line of the audit log.
     *
     * @throws IllegalArgumentException if the line is not JSON
     */
    static AuditedRequest parse(String line) {
        try {
            JsonNode entry = JSON.readTree(line);
            JsonNode object = entry.path("objectRef");
            return new AuditedRequest(
                    entry.path("user").path("username").asText(),
                    entry.path("verb").asText(),
                    resource(entry, object),
                    object.path("name").asText(),
                    entry.path("responseStatus").path("code").asInt(),
                    Instant.parse(entry.path("stageTimestamp").asText()));
        } catch (JsonProcessingException broken) {
            throw new IllegalArgumentException("not a line of an audit log: " + line, broken);
        }
    }

    private static String resource(JsonNode entry, JsonNode object) {
        if (object.isMissingNode()) {
            return entry.path("requestURI").asText();
        }
        String part = object.path("subresource").asText();
        return object.path("resource").asText() + (part.isEmpty() ? "" : "/" + part);
    }

    Kind kind() {
        if (verb.equals("watch")) {
            return Kind.WATCH;
        } else if (resource.equals("events")) {
            return Kind.EVENT;
        } else if (resource.equals("leases")) {
            return Kind.LEASE;
        }
        return READ_VERBS.contains(verb) ? Kind.READ : Kind.WRITE;
    }

    /** Returns verb and resource, such as {@code update workflowexecutions/status}, with the code of an error. */
    String title() {
        return verb + " " + resource + (code >= FIRST_ERROR_CODE ? " (%d)".formatted(code) : "");
    }
}
