package dev.escapement.kubernetes.resource;

import dev.escapement.kubernetes.store.KubernetesPorts;
import dev.escapement.testkit.cluster.TestCluster;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.FieldValidateable.Validation;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A cluster with the custom resource definitions, and its responses to objects. */
final class CrdTestCluster implements AutoCloseable {

    private final KubernetesClient admin;
    private final String namespace;

    CrdTestCluster(TestCluster cluster) {
        this.admin = cluster.admin();
        KubernetesPorts.installCrds(admin);
        this.namespace = cluster.createNamespace("schema");
    }

    KubernetesClient admin() {
        return admin;
    }

    String namespace() {
        return namespace;
    }

    /** Deletes the objects of this test, because other tests share the cluster. */
    @Override
    public void close() {
        admin.resources(WorkflowExecutionResource.class).inNamespace(namespace).delete();
        admin.resources(RemediationTargetResource.class).list().getItems().stream()
                .filter(entry ->
                        String.valueOf(entry.getSpec().get("targetResource")).endsWith(namespace))
                .forEach(entry -> admin.resource(entry).delete());
    }

    /** Returns a valid execution except for the value at this path of its spec. */
    WorkflowExecutionResource newExecution(String path, Object value) {
        Map<String, Object> spec = new LinkedHashMap<>();
        spec.put("workflowRef", new LinkedHashMap<>(Map.of("workflowId", "clean-disk")));
        spec.put("targetResource", "node/worker-1");
        putAtPath(spec, List.of(path.split("/")), value);
        return newExecution(spec);
    }

    WorkflowExecutionResource newExecution(Map<String, Object> spec) {
        WorkflowExecutionResource execution = new WorkflowExecutionResource();
        execution.setMetadata(new ObjectMetaBuilder()
                .withNamespace(namespace)
                .withGenerateName("e-")
                .build());
        execution.setSpec(spec);
        return execution;
    }

    @SuppressWarnings("unchecked")
    private static void putAtPath(Map<String, Object> map, List<String> path, Object value) {
        if (path.size() == 1) {
            map.put(path.get(0), value);
            return;
        }
        Object inner = map.computeIfAbsent(path.get(0), unused -> new LinkedHashMap<>());
        putAtPath((Map<String, Object>) inner, path.subList(1, path.size()), value);
    }

    /**
     * Returns why the API server rejects the object under strict field validation, as {@code kubectl apply} uses it.
     */
    Optional<String> rejection(HasMetadata object) {
        try {
            admin.resource(object).dryRun().fieldValidation(Validation.STRICT).create();
            return Optional.empty();
        } catch (KubernetesClientException refused) {
            return Optional.of(serverMessage(refused));
        }
    }

    /** Returns the map after a JSON round trip, which normalizes the types of numbers. */
    @SuppressWarnings("unchecked")
    static Map<String, Object> roundTripJson(Map<String, Object> map) {
        KubernetesSerialization json = new KubernetesSerialization();
        return json.unmarshal(json.asJson(map), Map.class);
    }

    static String serverMessage(KubernetesClientException refused) {
        return Optional.ofNullable(refused.getStatus())
                .map(status -> String.valueOf(status.getMessage()))
                .orElseGet(() -> String.valueOf(refused.getMessage()));
    }
}
