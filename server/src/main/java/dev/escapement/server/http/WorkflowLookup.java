package dev.escapement.server.http;

import dev.escapement.api.workflow.CatalogueWorkflow;
import dev.escapement.api.workflow.WorkflowCatalogue;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Looks up the workflows that executions name.
 *
 * @param source returns the current catalogue, sorted by version; one with a note stands for a cluster, where every
 *     execution names the image of its workflow
 */
public record WorkflowLookup(Supplier<WorkflowCatalogue> source) {

    public WorkflowCatalogue list() {
        return source.get();
    }

    /** Returns the highest version of a workflow. */
    public Optional<CatalogueWorkflow> get(String id) {
        return list().items().stream()
                .filter(workflow -> id.equals(workflow.id()))
                .reduce((lower, higher) -> higher);
    }

    /** Returns the error message for an unknown workflow. */
    public String notFoundMessage(String id) {
        return Optional.ofNullable(list().note())
                .orElse("the catalogue has no workflow %s: GET /api/v1/workflows lists workflows and invalid files"
                        .formatted(id));
    }

    /**
     * Whether an execution of it would certainly fail because the workflow does not exist. Whether an image exists is
     * known only when it is pulled.
     */
    public boolean isUnknown(String id) {
        return !requiresImages() && get(id).isEmpty();
    }

    /** Whether an execution must name the image of its workflow. */
    public boolean requiresImages() {
        return list().note() != null;
    }
}
