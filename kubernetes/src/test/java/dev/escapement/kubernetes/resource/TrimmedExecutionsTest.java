package dev.escapement.kubernetes.resource;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.common.Json;
import dev.escapement.kubernetes.cache.ResourceCache;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The operator keeps executions in memory for as long as they exist. */
class TrimmedExecutionsTest {

    private final ResourceCache<WorkflowExecutionResource> cache = WorkflowExecutionResource.newCache();

    private static WorkflowExecutionResource execution(String phase, int version) {
        return Json.mapper()
                .convertValue(
                        Map.of(
                                "metadata",
                                Map.of(
                                        "namespace",
                                        "ops",
                                        "name",
                                        "e1",
                                        "uid",
                                        "uid-1",
                                        "resourceVersion",
                                        Integer.toString(version)),
                                "spec",
                                Map.of("targetResource", "node/a", "parameters", Map.of("SIZE", "large")),
                                "status",
                                phase.isEmpty() ? Map.of() : Map.of("phase", phase)),
                        WorkflowExecutionResource.class);
    }

    private Map<String, String> cachedParameters() {
        return Objects.requireNonNull(cache.get("ops", "e1").orElseThrow().getSpec())
                .parameters();
    }

    @Test
    void cacheKeepsParametersUntilExecutionHasFinished() {
        cache.put("ops/e1", execution("", 1));
        assertThat(cachedParameters()).containsEntry("SIZE", "large");
        cache.put("ops/e1", execution("Running", 2));
        assertThat(cachedParameters()).containsEntry("SIZE", "large");
        for (String phase : new String[] {"Completed", "Failed", "Skipped"}) {
            cache.put("ops/e1", execution(phase, 3));
            assertThat(cachedParameters()).describedAs(phase).isEmpty();
        }
    }

    @Test
    void trimmingDoesNotChangeTheDeliveredObject() {
        WorkflowExecutionResource delivered = execution("Completed", 1);
        cache.put("ops/e1", delivered);
        assertThat(Objects.requireNonNull(delivered.getSpec()).parameters()).containsEntry("SIZE", "large");
    }

    @Test
    void findsExecutionByUid() {
        cache.put("ops/e1", execution("Completed", 1));
        assertThat(cache.findByOwner("uid-1")).hasSize(1);
        assertThat(cache.findByOwner("uid-2")).isEmpty();
    }
}
