package dev.escapement.benchmarks.clustercrash;

import dev.escapement.benchmarks.clustercrash.Bundles.Work;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.MixedOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.net.HttpURLConnection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What people do with {@code kubectl}, past the operator and its proxy. */
final class Executions {

    private static final String API = "kubernaut.ai/v1alpha1";
    private static final Set<String> FINAL = Set.of("Completed", "Failed", "Skipped");

    private final KubernetesClient client;

    Executions(KubernetesClient client) {
        this.client = client;
    }

    /**
     * A request.
     *
     * @param work what runs
     */
    record Wish(String namespace, String name, String workflow, Work work, String target) {}

    /** Returns the uid; asking again for what is there already returns the same. */
    String create(Wish wish) {
        GenericKubernetesResource asked = new GenericKubernetesResourceBuilder()
                .withApiVersion(API)
                .withKind("WorkflowExecution")
                .withNewMetadata()
                .withNamespace(wish.namespace())
                .withName(wish.name())
                .endMetadata()
                .withAdditionalProperties(Map.of(
                        "spec",
                        Map.of(
                                "workflowRef",
                                Map.of(
                                        "workflowId",
                                        wish.workflow(),
                                        "version",
                                        "v1",
                                        "containerImage",
                                        wish.work().image()),
                                "targetResource",
                                wish.target(),
                                "executionConfig",
                                Map.of("engine", wish.work().engine().word()))))
                .build();
        try {
            return kind("WorkflowExecution")
                    .inNamespace(wish.namespace())
                    .resource(asked)
                    .create()
                    .getMetadata()
                    .getUid();
        } catch (KubernetesClientException refused) {
            if (refused.getCode() == HttpURLConnection.HTTP_CONFLICT) {
                return find(wish.namespace(), wish.name())
                        .orElseThrow(() -> refused)
                        .getMetadata()
                        .getUid();
            }
            throw refused;
        }
    }

    Optional<GenericKubernetesResource> find(String namespace, String name) {
        return Optional.ofNullable(
                kind("WorkflowExecution").inNamespace(namespace).withName(name).get());
    }

    void delete(String namespace, String name) {
        kind("WorkflowExecution").inNamespace(namespace).withName(name).delete();
    }

    /** {@code Pending} as long as nobody has looked at it, and {@code Gone} when it was deleted. */
    String phase(String namespace, String name) {
        return find(namespace, name).map(Executions::phase).orElse("Gone");
    }

    static String phase(GenericKubernetesResource execution) {
        String phase = execution.get("status", "phase");
        return phase == null ? "Pending" : phase;
    }

    static boolean isOver(String phase) {
        return phase.equals("Gone") || FINAL.contains(phase);
    }

    /** Nothing is pending, running, held or suspended. */
    boolean areQuiet() {
        return kind("WorkflowExecution").inAnyNamespace().list().getItems().stream()
                        .allMatch(each -> isOver(phase(each)))
                && entries().list().getItems().stream().allMatch(entry -> entry.get("status", "holder") == null)
                && runs().inAnyNamespace().list().getItems().stream()
                        .noneMatch(run -> "PipelineRunPending".equals(run.get("spec", "status")))
                && client
                        .batch()
                        .v1()
                        .jobs()
                        .inAnyNamespace()
                        .withLabel("kubernaut.ai/execution-uid")
                        .list()
                        .getItems()
                        .stream()
                        .noneMatch(job -> Boolean.TRUE.equals(job.getSpec().getSuspend()));
    }

    MixedOperation<GenericKubernetesResource, GenericKubernetesResourceList, Resource<GenericKubernetesResource>>
            entries() {
        return kind("RemediationTarget");
    }

    MixedOperation<GenericKubernetesResource, GenericKubernetesResourceList, Resource<GenericKubernetesResource>>
            runs() {
        return client.genericKubernetesResources("tekton.dev/v1", "PipelineRun");
    }

    MixedOperation<GenericKubernetesResource, GenericKubernetesResourceList, Resource<GenericKubernetesResource>>
            executions() {
        return kind("WorkflowExecution");
    }

    private MixedOperation<
                    GenericKubernetesResource, GenericKubernetesResourceList, Resource<GenericKubernetesResource>>
            kind(String kind) {
        return client.genericKubernetesResources(API, kind);
    }
}
