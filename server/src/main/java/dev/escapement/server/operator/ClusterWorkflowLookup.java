package dev.escapement.server.operator;

import dev.escapement.server.http.WorkflowLookup;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** On a cluster there is no catalogue: an execution names the image of its workflow itself. */
record ClusterWorkflowLookup() implements WorkflowLookup {

    private static final String NOTE =
            "there is no catalogue on a cluster: an execution names its workflow by spec.workflowRef.containerImage";

    @Override
    public Map<String, Object> list() {
        return Map.of("items", List.of(), "problems", List.of(), "note", NOTE);
    }

    @Override
    public Optional<Map<String, Object>> get(String id) {
        return Optional.empty();
    }

    @Override
    public String notFoundMessage(String id) {
        return NOTE;
    }

    /** Whether there is such an image is known when it is pulled. */
    @Override
    public boolean isUnknown(String id) {
        return false;
    }

    @Override
    public boolean requiresImages() {
        return true;
    }
}
