package dev.escapement.kubernetes.scenario;

import dev.escapement.api.ApiGroup;
import dev.escapement.testkit.cluster.UntypedExecution;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.LinkedHashMap;
import java.util.Map;

/** Builds and creates an execution. */
final class ExecutionRequestBuilder {

    private final OperatorScenario scenario;
    private final ObjectMetaBuilder metadata;
    private final Map<String, Object> workflow = new LinkedHashMap<>();
    private final Map<String, Object> config = new LinkedHashMap<>();
    private final Map<String, Object> spec = new LinkedHashMap<>();

    ExecutionRequestBuilder(OperatorScenario scenario, String workflowId, String image) {
        this.scenario = scenario;
        this.metadata =
                new ObjectMetaBuilder().withNamespace(scenario.namespace()).withGenerateName("wfe-");
        workflow.put("workflowId", workflowId);
        workflow.put("containerImage", image);
        spec.put("workflowRef", workflow);
        spec.put("targetResource", scenario.target());
        spec.put("executionConfig", config);
    }

    ExecutionRequestBuilder onTarget(String target) {
        spec.put("targetResource", target);
        return this;
    }

    ExecutionRequestBuilder withName(String name) {
        metadata.withGenerateName(null).withName(name);
        return this;
    }

    ExecutionRequestBuilder inNamespace(String namespace) {
        metadata.withNamespace(namespace);
        return this;
    }

    ExecutionRequestBuilder withEngine(String engine) {
        config.put("engine", engine);
        return this;
    }

    ExecutionRequestBuilder withServiceAccount(String name) {
        config.put("serviceAccountName", name);
        return this;
    }

    ExecutionRequestBuilder withTimeout(String timeout) {
        config.put("timeout", timeout);
        return this;
    }

    /** Lets the execution wait instead of being skipped. */
    ExecutionRequestBuilder waitingFor(String duration) {
        spec.put("onConflict", "Wait");
        spec.put("waitFor", duration);
        return this;
    }

    ExecutionRequestBuilder withParameters(Map<String, String> parameters) {
        spec.put("parameters", parameters);
        return this;
    }

    /** Creates the execution with the annotation of a cancellation. */
    ExecutionRequestBuilder cancelledBy(String actor) {
        metadata.addToAnnotations(ApiGroup.CANCELLED_BY, actor);
        return this;
    }

    CreatedExecution create() {
        return scenario.register(scenario.admin().resource(build()).create());
    }

    /** Returns the execution for a caller who creates it. */
    UntypedExecution build() {
        UntypedExecution execution = new UntypedExecution();
        execution.setMetadata(metadata.build());
        execution.setSpec(spec);
        return execution;
    }
}
