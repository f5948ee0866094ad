package dev.escapement.server.http;

import java.util.Map;
import java.util.Optional;

/** The catalogue as documents. */
public interface WorkflowLookup {

    /** All of them under {@code items}, and what is wrong with files under {@code problems}. */
    Map<String, Object> list();

    /** One of them. */
    Optional<Map<String, Object>> get(String id);

    /** Why there is none, to whoever asks for one that is not there. */
    default String notFoundMessage(String id) {
        return "the catalogue has no workflow %s: GET /api/v1/workflows lists them, and files that cannot be used"
                .formatted(id);
    }

    /** Whether an execution of it would certainly fail because nobody knows it. */
    default boolean isUnknown(String id) {
        return get(id).isEmpty();
    }

    /** Whether an execution has to name the image of its workflow itself. */
    default boolean requiresImages() {
        return false;
    }
}
