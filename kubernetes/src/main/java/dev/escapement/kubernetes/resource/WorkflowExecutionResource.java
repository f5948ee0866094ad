package dev.escapement.kubernetes.resource;

import dev.escapement.api.ObjectMetadata;
import dev.escapement.api.ObjectMetadata.OwnerReference;
import dev.escapement.api.execution.WorkflowExecution;
import dev.escapement.api.execution.WorkflowExecutionSpec;
import dev.escapement.api.execution.WorkflowExecutionStatus;
import dev.escapement.common.Json;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.mapping.ExecutionMapper;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.kubernetes.cache.ResourceCache;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * An execution as the API server has it. The records keep unknown fields and hold enum values as text: one resource of
 * a newer version must not stop the watch of all others.
 */
@Group("kubernaut.ai")
@Version("v1alpha1")
@Kind("WorkflowExecution")
public final class WorkflowExecutionResource extends SparseResource<WorkflowExecutionSpec, WorkflowExecutionStatus>
        implements Namespaced {

    /** Phases that do not change any more. */
    private static final Set<String> FINAL_PHASES = Set.of("Completed", "Failed", "Skipped");

    /** Returns a cache of executions, by uid as the owner, that keeps no parameters of finished ones. */
    public static ResourceCache<WorkflowExecutionResource> newCache() {
        return new ResourceCache<>(
                WorkflowExecutionResource::trim,
                resource -> resource.getMetadata().getUid());
    }

    /** Only {@code GET} of a finished execution needs its parameters, and asks the API server. */
    static WorkflowExecutionResource trim(WorkflowExecutionResource resource) {
        WorkflowExecutionResource trimmed = new WorkflowExecutionResource();
        trimmed.setMetadata(resource.getMetadata());
        trimmed.setSpec(
                resource.isFinal() && resource.getSpec() != null
                        ? resource.getSpec().withoutParameters()
                        : resource.getSpec());
        trimmed.setStatus(resource.getStatus());
        return trimmed;
    }

    /** Returns whether its status has a terminal phase. */
    public boolean isFinal() {
        return phase().filter(FINAL_PHASES::contains).isPresent();
    }

    /** Returns the phase of its status; empty without a status. */
    public Optional<String> phase() {
        return Optional.ofNullable(getStatus()).map(WorkflowExecutionStatus::phase);
    }

    /**
     * Returns the execution of a resource.
     *
     * @throws IllegalArgumentException if the resource is invalid although it conforms to the schema
     */
    public Versioned<Execution> read() {
        WorkflowExecution document =
                new WorkflowExecution(null, null, metadata(getMetadata()), getSpec(), getStatus(), Map.of());
        return new Versioned<>(
                ExecutionMapper.fromDocument(document), getMetadata().getResourceVersion());
    }

    /** Returns the execution of a resource; empty if it is invalid, which its reconciler reports. */
    public Optional<Versioned<Execution>> readValid() {
        try {
            return Optional.of(read());
        } catch (IllegalArgumentException invalid) {
            return Optional.empty();
        }
    }

    public ExecutionRef ref() {
        ObjectMeta meta = getMetadata();
        return new ExecutionRef(meta.getNamespace(), meta.getName(), meta.getUid());
    }

    private static ObjectMetadata metadata(ObjectMeta meta) {
        return new ObjectMetadata(
                meta.getName(),
                meta.getGenerateName(),
                meta.getNamespace(),
                meta.getUid(),
                meta.getCreationTimestamp(),
                null,
                null,
                meta.getLabels(),
                meta.getAnnotations(),
                convertAll(meta.getOwnerReferences(), OwnerReference.class),
                meta.getFinalizers(),
                Map.of());
    }

    /** Returns a resource to create. The API server sets the uid and the creation time. */
    public static WorkflowExecutionResource newResource(Execution execution) {
        WorkflowExecutionResource resource = new WorkflowExecutionResource();
        resource.setMetadata(new ObjectMetaBuilder()
                .withNamespace(execution.ref().namespace())
                .withName(execution.ref().name())
                .withGenerateName(execution.metadata().generateName().orElse(null))
                .withLabels(execution.metadata().labels())
                .withAnnotations(execution.metadata().annotations())
                .withOwnerReferences(convertAll(
                        execution.metadata().ownerReferences(), io.fabric8.kubernetes.api.model.OwnerReference.class))
                .withFinalizers(execution.metadata().finalizers())
                .build());
        resource.setSpec(ExecutionMapper.toDocument(execution, "").spec());
        return resource;
    }

    private static <T> List<T> convertAll(List<?> owners, Class<T> type) {
        return owners.stream()
                .map(owner -> Json.mapper().convertValue(owner, type))
                .toList();
    }

    /** Returns a resource that changes the status only, on condition that the resource still has that version. */
    public static WorkflowExecutionResource statusUpdate(Execution next, String seenVersion) {
        WorkflowExecutionResource resource = new WorkflowExecutionResource();
        resource.setMetadata(new ObjectMetaBuilder()
                .withNamespace(next.ref().namespace())
                .withName(next.ref().name())
                .withUid(next.ref().uid())
                .withResourceVersion(seenVersion)
                .build());
        resource.setStatus(ExecutionMapper.toDocument(next, "").status());
        return resource;
    }
}
