package dev.escapement.server.http;

import java.util.Map;
import java.util.Optional;

/** The catalogue of workflows as JSON documents. */
public interface WorkflowLookup {

    /** Returns all workflows under {@code items}, and the problems of invalid files under {@code problems}. */
    Map<String, Object> list();

    Optional<Map<String, Object>> get(String id);

    /** Returns the error message for an unknown workflow. */
    default String notFoundMessage(String id) {
        return "the catalogue has no workflow %s: GET /api/v1/workflows lists workflows and invalid files"
                .formatted(id);
    }

    /** Whether an execution of it would certainly fail because the workflow does not exist. */
    default boolean isUnknown(String id) {
        return get(id).isEmpty();
    }

    /** Whether an execution must name the image of its workflow. */
    default boolean requiresImages() {
        return false;
    }
}
