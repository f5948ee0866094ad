package dev.escapement.kubernetes.resource;

import dev.escapement.engine.document.ExecutionDocument;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.port.Versioned;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.LinkedHashMap;
import java.util.Map;

/** Between executions and what the API server has of them. */
public final class ExecutionCodec {

    private ExecutionCodec() {}

    /**
     * The execution.
     *
     * @throws IllegalArgumentException if the resource is none, although the schema let it pass; the message says why
     */
    public static Versioned<Execution> read(WorkflowExecutionResource resource) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("metadata", ResourceMaps.metadata(resource.getMetadata()));
        ResourceMaps.putIfPresent(document, "spec", resource.getSpec());
        ResourceMaps.putIfPresent(document, "status", resource.getStatus());
        return new Versioned<>(
                ExecutionDocument.read(document), resource.getMetadata().getResourceVersion());
    }

    /** A request for it. The API server gives it a uid and a time of its own. */
    public static WorkflowExecutionResource newResource(Execution execution) {
        WorkflowExecutionResource resource = new WorkflowExecutionResource();
        resource.setMetadata(new ObjectMetaBuilder()
                .withNamespace(execution.ref().namespace())
                .withName(execution.ref().name())
                .withLabels(execution.metadata().labels())
                .withAnnotations(execution.metadata().annotations())
                .build());
        resource.setSpec(ResourceMaps.section(ExecutionDocument.write(execution, ""), "spec"));
        return resource;
    }

    /** A change of its status, under the version that was seen. The API server keeps everything else as it has it. */
    public static WorkflowExecutionResource statusUpdate(Execution next, String seenVersion) {
        WorkflowExecutionResource resource = new WorkflowExecutionResource();
        resource.setMetadata(new ObjectMetaBuilder()
                .withNamespace(next.ref().namespace())
                .withName(next.ref().name())
                .withUid(next.ref().uid())
                .withResourceVersion(seenVersion)
                .build());
        resource.setStatus(ResourceMaps.section(ExecutionDocument.write(next, ""), "status"));
        return resource;
    }
}
