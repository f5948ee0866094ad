package dev.escapement.server.operator;

import dev.escapement.server.http.WorkflowLookup;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** An empty catalogue: on a cluster every execution names the image of its workflow. */
record ClusterWorkflowLookup() implements WorkflowLookup {

    private static final String NOTE =
            "a cluster has no catalogue: an execution names the image of its workflow in spec.workflowRef.containerImage";

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

    /** Always false: whether an image exists is known only when it is pulled. */
    @Override
    public boolean isUnknown(String id) {
        return false;
    }

    @Override
    public boolean requiresImages() {
        return true;
    }
}
