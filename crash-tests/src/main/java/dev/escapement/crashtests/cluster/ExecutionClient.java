package dev.escapement.crashtests.cluster;

import dev.escapement.crashtests.cluster.CrashTestWorkflows.Workload;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.MixedOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.net.HttpURLConnection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads and writes custom resources as a user of {@code kubectl} does, without the operator and its proxy. */
final class ExecutionClient {

    private static final String API_VERSION = "kubernaut.ai/v1alpha1";
    private static final Set<String> FINAL_PHASES = Set.of("Completed", "Failed", "Skipped");

    private final KubernetesClient client;

    ExecutionClient(KubernetesClient client) {
        this.client = client;
    }

    /**
     * An execution to create.
     *
     * @param workload the image that it runs
     */
    record ExecutionRequest(String namespace, String name, String workflow, Workload workload, String target) {}

    /** Creates the execution and returns its uid; if it exists already, returns the uid of the existing one. */
    String create(ExecutionRequest request) {
        GenericKubernetesResource execution = new GenericKubernetesResourceBuilder()
                .withApiVersion(API_VERSION)
                .withKind("WorkflowExecution")
                .withNewMetadata()
                .withNamespace(request.namespace())
                .withName(request.name())
                .endMetadata()
                .withAdditionalProperties(Map.of(
                        "spec",
                        Map.of(
                                "workflowRef",
                                Map.of(
                                        "workflowId",
                                        request.workflow(),
                                        "version",
                                        "v1",
                                        "containerImage",
                                        request.workload().image()),
                                "targetResource",
                                request.target(),
                                "executionConfig",
                                Map.of("engine", request.workload().engine().wireName()))))
                .build();
        try {
            return resources("WorkflowExecution")
                    .inNamespace(request.namespace())
                    .resource(execution)
                    .create()
                    .getMetadata()
                    .getUid();
        } catch (KubernetesClientException refused) {
            if (refused.getCode() == HttpURLConnection.HTTP_CONFLICT) {
                return find(request.namespace(), request.name())
                        .orElseThrow(() -> refused)
                        .getMetadata()
                        .getUid();
            }
            throw refused;
        }
    }

    Optional<GenericKubernetesResource> find(String namespace, String name) {
        return Optional.ofNullable(resources("WorkflowExecution")
                .inNamespace(namespace)
                .withName(name)
                .get());
    }

    void delete(String namespace, String name) {
        resources("WorkflowExecution").inNamespace(namespace).withName(name).delete();
    }

    /** Deletes a ledger entry as {@code kubectl delete} does; its finalizer may keep it. */
    void deleteEntry(String name) {
        ledgerEntries().withName(name).delete();
    }

    /** Deletes a ledger entry and removes its finalizer. */
    void removeEntryByForce(String name) {
        deleteEntry(name);
        try {
            ledgerEntries()
                    .withName(name)
                    .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"metadata\":{\"finalizers\":null}}");
        } catch (KubernetesClientException gone) {
            if (gone.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
                throw gone;
            }
        }
    }

    /** Returns the phase: {@code Pending} if the status has none, {@code Gone} if the execution was deleted. */
    String phase(String namespace, String name) {
        return find(namespace, name).map(ExecutionClient::phase).orElse("Gone");
    }

    static String phase(GenericKubernetesResource execution) {
        String phase = execution.get("status", "phase");
        return phase == null ? "Pending" : phase;
    }

    static boolean isFinished(String phase) {
        return phase.equals("Gone") || FINAL_PHASES.contains(phase);
    }

    /** Returns whether the execution has failed before any of its steps could start. */
    boolean hasFailedBeforeStart(String namespace, String name) {
        return find(namespace, name)
                .filter(execution -> phase(execution).equals("Failed"))
                .filter(execution ->
                        Boolean.FALSE.equals(execution.get("status", "failureDetails", "wasExecutionFailure")))
                .isPresent();
    }

    /** Returns whether no execution is unfinished, no target is held and no run is suspended. */
    boolean isSettled() {
        return resources("WorkflowExecution").inAnyNamespace().list().getItems().stream()
                        .allMatch(each -> isFinished(phase(each)))
                && ledgerEntries().list().getItems().stream().allMatch(entry -> entry.get("status", "holder") == null)
                && pipelineRuns().inAnyNamespace().list().getItems().stream()
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
            ledgerEntries() {
        return resources("RemediationTarget");
    }

    MixedOperation<GenericKubernetesResource, GenericKubernetesResourceList, Resource<GenericKubernetesResource>>
            pipelineRuns() {
        return client.genericKubernetesResources("tekton.dev/v1", "PipelineRun");
    }

    MixedOperation<GenericKubernetesResource, GenericKubernetesResourceList, Resource<GenericKubernetesResource>>
            executions() {
        return resources("WorkflowExecution");
    }

    private MixedOperation<
                    GenericKubernetesResource, GenericKubernetesResourceList, Resource<GenericKubernetesResource>>
            resources(String kind) {
        return client.genericKubernetesResources(API_VERSION, kind);
    }
}
