package dev.escapement.kubernetes.scenario;

import dev.escapement.engine.request.ExecutionService;
import dev.escapement.governor.Target;
import dev.escapement.kubernetes.policy.PolicyConfigMap;
import dev.escapement.kubernetes.run.RunLabels;
import dev.escapement.testkit.ConditionPoller;
import dev.escapement.testkit.cluster.TestCluster;
import dev.escapement.testkit.cluster.UntypedExecution;
import dev.escapement.testkit.cluster.UntypedTarget;
import dev.escapement.testkit.cluster.node.SimulatedKubelet;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** A scenario with its own namespace and target. */
final class OperatorScenario {

    private final ScenarioEnvironment environment;
    private final String namespace;
    private final AtomicInteger targetCounter = new AtomicInteger();

    OperatorScenario(ScenarioEnvironment environment, String namespace) {
        this.environment = environment;
        this.namespace = namespace;
    }

    TestCluster cluster() {
        return environment.cluster();
    }

    KubernetesClient admin() {
        return cluster().admin();
    }

    String namespace() {
        return namespace;
    }

    TektonBundles bundles() {
        return new TektonBundles(cluster().registry());
    }

    ExecutionService executionService() {
        return environment.operator().executionService();
    }

    InProcessOperator operator() {
        return environment.operator();
    }

    void runWithoutOperator(Runnable action) {
        environment.runWithoutOperator(action);
    }

    /** Changes the policy of all scenarios and waits until the operator has it. */
    void updatePolicy(Map<String, String> settings) {
        writePolicy(settings);
        settings.forEach((key, value) -> ConditionPoller.await(
                "the operator has " + key,
                () -> value.equals(operator().policy().document().get(key))));
    }

    /** Writes policy settings, valid or not. */
    void writePolicy(Map<String, String> settings) {
        admin().configMaps()
                .inNamespace(InstalledCluster.OPERATOR_NAMESPACE)
                .withName(PolicyConfigMap.NAME)
                .edit((ConfigMap map) -> map.edit().addToData(settings).build());
    }

    String target() {
        return "node/" + namespace;
    }

    /** Returns another target of this scenario. */
    String newTarget() {
        return target() + "-" + targetCounter.incrementAndGet();
    }

    /** Returns a request for a Tekton workflow with one task per image, on the target of this scenario. */
    ExecutionRequestBuilder tektonWorkflow(String... images) {
        return new ExecutionRequestBuilder(this, "repair", bundles().push(images));
    }

    /** Returns the same with another workflow id. */
    ExecutionRequestBuilder namedTektonWorkflow(String workflow, String... images) {
        return new ExecutionRequestBuilder(this, workflow, bundles().push(images));
    }

    /** Returns a request for a workflow that runs this image as a Job, on the target of this scenario. */
    ExecutionRequestBuilder jobWorkflow(String image) {
        return new ExecutionRequestBuilder(this, "repair", "simulated.local/" + image).withEngine("job");
    }

    /** Returns a request with this bundle or image. */
    ExecutionRequestBuilder workflow(String workflow, String image) {
        return new ExecutionRequestBuilder(this, workflow, image);
    }

    CreatedExecution register(UntypedExecution created) {
        CreatedExecution execution = new CreatedExecution(admin(), created);
        environment.register(execution);
        return execution;
    }

    /** Returns the stored ledger entry of a target. */
    Optional<StatusView> entry(String target) {
        return Optional.ofNullable(admin().resources(UntypedTarget.class)
                        .withName(Target.parse(target).objectName())
                        .get())
                .map(stored -> StatusView.of(stored.getStatus()));
    }

    /** Waits until the entry has this state. */
    StatusView entry(String target, String state) {
        return ConditionPoller.awaitPresent(
                target + " is " + state,
                () -> entry(target).filter(status -> status.text("state").equals(state)));
    }

    List<Event> targetEvents(String target) {
        return admin().v1()
                .events()
                .inNamespace("default")
                .withField("involvedObject.name", Target.parse(target).objectName())
                .list()
                .getItems();
    }

    List<Pod> pods(CreatedExecution execution) {
        return admin().pods()
                .inNamespace(InstalledCluster.RUN_NAMESPACE)
                .withLabel(RunLabels.EXECUTION_UID, execution.uid())
                .list()
                .getItems();
    }

    Pod awaitPod(CreatedExecution execution, String phase) {
        return ConditionPoller.awaitPresent(
                "a pod of " + execution.qualifiedName() + " is " + phase,
                () -> pods(execution).stream()
                        .filter(pod -> phase.equals(pod.getStatus().getPhase()))
                        .findFirst());
    }

    /** Ends the waiting container in the running pod of an execution. */
    void endPod(CreatedExecution execution, String how) {
        admin().resource(awaitPod(execution, "Running"))
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"metadata\":{\"annotations\":{\"%s\":\"%s\"}}}"
                                .formatted(SimulatedKubelet.END_ANNOTATION, how));
    }
}
