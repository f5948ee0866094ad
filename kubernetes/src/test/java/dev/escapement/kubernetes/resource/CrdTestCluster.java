package dev.escapement.kubernetes.resource;

import dev.escapement.engine.execution.Execution;
import dev.escapement.kubernetes.store.KubernetesPorts;
import dev.escapement.testkit.cluster.TestCluster;
import dev.escapement.testkit.cluster.UntypedExecution;
import dev.escapement.testkit.cluster.UntypedTarget;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.FieldValidateable.Validation;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
        admin.resources(UntypedExecution.class).inNamespace(namespace).delete();
        admin.resources(UntypedTarget.class).list().getItems().stream()
                .filter(entry ->
                        String.valueOf(entry.getSpec().get("targetResource")).endsWith(namespace))
                .forEach(entry -> admin.resource(entry).delete());
    }

    /** Returns a valid execution except for the value at this path of its spec. */
    UntypedExecution newExecution(String path, Object value) {
        Map<String, Object> spec = new LinkedHashMap<>();
        spec.put("workflowRef", new LinkedHashMap<>(Map.of("workflowId", "clean-disk")));
        spec.put("targetResource", "node/worker-1");
        putAtPath(spec, List.of(path.split("/")), value);
        return newExecution(spec);
    }

    UntypedExecution newExecution(Map<String, Object> spec) {
        UntypedExecution execution = new UntypedExecution();
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

    @SuppressWarnings("unchecked")
    static Map<String, Object> statusOf(Map<String, Object> document) {
        return (Map<String, Object>) Objects.requireNonNull(document.get("status"));
    }

    /** Returns the execution of a resource as the operator reads it. */
    static Execution read(UntypedExecution resource) {
        KubernetesSerialization json = new KubernetesSerialization();
        return json.unmarshal(json.asJson(resource), WorkflowExecutionResource.class)
                .read()
                .value();
    }

    static String serverMessage(KubernetesClientException refused) {
        return Optional.ofNullable(refused.getStatus())
                .map(status -> String.valueOf(status.getMessage()))
                .orElseGet(() -> String.valueOf(refused.getMessage()));
    }
}
