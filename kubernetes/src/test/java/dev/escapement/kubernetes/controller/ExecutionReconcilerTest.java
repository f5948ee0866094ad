package dev.escapement.kubernetes.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.api.ApiGroup;
import dev.escapement.api.execution.WorkflowExecutionStatus;
import dev.escapement.common.Json;
import dev.escapement.kubernetes.resource.WorkflowExecutionResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A change by a user triggers a reconciliation; a status update does not. */
class ExecutionReconcilerTest {

    private static WorkflowExecutionResource resource(String uid, long generation, Map<String, String> annotations) {
        WorkflowExecutionResource resource = new WorkflowExecutionResource();
        resource.setMetadata(new ObjectMetaBuilder()
                .withUid(uid)
                .withGeneration(generation)
                .withAnnotations(annotations)
                .build());
        return resource;
    }

    @Test
    void treatsCancellationAsUserChange() {
        assertThat(ExecutionReconciler.isUserChange(
                        resource("a", 1, Map.of(ApiGroup.CANCELLED_BY, "anna")), resource("a", 1, Map.of())))
                .isTrue();
    }

    @Test
    void treatsNewGenerationOrUidAsUserChange() {
        assertThat(ExecutionReconciler.isUserChange(resource("a", 2, Map.of()), resource("a", 1, Map.of())))
                .isTrue();
        assertThat(ExecutionReconciler.isUserChange(resource("b", 1, Map.of()), resource("a", 1, Map.of())))
                .isTrue();
    }

    @Test
    void ignoresStatusChange() {
        WorkflowExecutionResource running = resource("a", 1, Map.of("other", "new"));
        running.setStatus(Json.fromMap(Map.of("phase", "Running"), WorkflowExecutionStatus.class));
        assertThat(ExecutionReconciler.isUserChange(running, resource("a", 1, Map.of())))
                .isFalse();
    }
}
