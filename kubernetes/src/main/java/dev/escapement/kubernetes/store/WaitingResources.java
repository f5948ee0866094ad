package dev.escapement.kubernetes.store;

import dev.escapement.engine.WaitingIndex;
import dev.escapement.engine.execution.ExecutionSpec.OnConflict;
import dev.escapement.kubernetes.cache.ResourceCache;
import dev.escapement.kubernetes.resource.WorkflowExecutionResource;

/**
 * Finds the executions that wait in what the watch delivers. The watch delivers executions in the order of their
 * creation, so that no older one is missing.
 */
final class WaitingResources {

    private WaitingResources() {}

    /** Returns an index that follows the cache. */
    static WaitingIndex index(ResourceCache<WorkflowExecutionResource> executions) {
        WaitingIndex index = new WaitingIndex();
        executions.onAdd(resource -> update(index, resource));
        executions.onUpdate((before, after) -> update(index, after));
        executions.onDelete(resource -> index.remove(resource.getMetadata().getUid()));
        return index;
    }

    /** Parses only executions that may wait: most do not. */
    private static void update(WaitingIndex index, WorkflowExecutionResource resource) {
        if (mayWait(resource)) {
            resource.readValid().ifPresent(seen -> index.update(seen.value()));
        }
    }

    private static boolean mayWait(WorkflowExecutionResource resource) {
        return resource.getSpec() != null
                && OnConflict.Wait.name().equals(resource.getSpec().onConflict());
    }
}
