package dev.escapement.kubernetes.scenario;

import dev.escapement.engine.request.ExecutionService;
import dev.escapement.governor.Target;
import dev.escapement.kubernetes.policy.PolicyConfigMap;
import dev.escapement.kubernetes.resource.RemediationTarget;
import dev.escapement.kubernetes.resource.WorkflowExecution;
import dev.escapement.kubernetes.run.ClusterAwait;
import dev.escapement.kubernetes.run.RunLabels;
import dev.escapement.testkit.cluster.TestCluster;
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

/** One story: a namespace and a target that no other story has. */
final class OperatorScenario {

    private final ScenarioEnvironment environment;
    private final String namespace;
    private final AtomicInteger targetCounter = new AtomicInteger();

    OperatorScenario(ScenarioEnvironment stage, String namespace) {
        this.environment = stage;
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

    /** What people ask of the operator's API. */
    ExecutionService executionService() {
        return environment.operator().executionService();
    }

    InProcessOperator operator() {
        return environment.operator();
    }

    void runWithoutOperator(Runnable something) {
        environment.runWithoutOperator(something);
    }

    /** Changes the rules for all stories, and waits until the operator knows. */
    void updatePolicy(Map<String, String> texts) {
        writePolicy(texts);
        texts.forEach((key, value) -> ClusterAwait.untilTrue(
                "the operator knows " + key,
                () -> value.equals(operator().policy().document().get(key))));
    }

    /** Writes rules, whether they make sense or not. */
    void writePolicy(Map<String, String> texts) {
        admin().configMaps()
                .inNamespace(InstalledCluster.OPERATOR_NAMESPACE)
                .withName(PolicyConfigMap.NAME)
                .edit((ConfigMap map) -> map.edit().addToData(texts).build());
    }

    /** The target of this story. */
    String target() {
        return "node/" + namespace;
    }

    /** Another target of this story. */
    String newTarget() {
        return target() + "-" + targetCounter.incrementAndGet();
    }

    /** On the target of this story, a workflow for Tekton with a task for each image. */
    ExecutionRequestBuilder tektonWorkflow(String... images) {
        return new ExecutionRequestBuilder(this, "repair", bundles().push(images));
    }

    /** The same workflow under a name of its own. */
    ExecutionRequestBuilder namedTektonWorkflow(String workflow, String... images) {
        return new ExecutionRequestBuilder(this, workflow, bundles().push(images));
    }

    /** On the target of this story, a workflow that is one image. */
    ExecutionRequestBuilder jobWorkflow(String image) {
        return new ExecutionRequestBuilder(this, "repair", "simulated.local/" + image).withEngine("job");
    }

    /** A workflow of the bundle or image of that name. */
    ExecutionRequestBuilder workflow(String workflow, String image) {
        return new ExecutionRequestBuilder(this, workflow, image);
    }

    CreatedExecution register(WorkflowExecution made) {
        CreatedExecution one = new CreatedExecution(admin(), made);
        environment.register(one);
        return one;
    }

    /** The ledger's entry of a target, as it is stored now; empty if there is none. */
    Optional<StatusView> entry(String target) {
        return Optional.ofNullable(admin().resources(RemediationTarget.class)
                        .withName(Target.parse(target).objectName())
                        .get())
                .map(stored -> StatusView.of(stored.getStatus()));
    }

    /** The entry when it is in that state. */
    StatusView entry(String target, String state) {
        return ClusterAwait.untilPresent(
                target + " is " + state,
                () -> entry(target).filter(seen -> seen.text("state").equals(state)));
    }

    /** What was told of a target. */
    List<Event> targetEvents(String target) {
        return admin().v1()
                .events()
                .inNamespace("default")
                .withField("involvedObject.name", Target.parse(target).objectName())
                .list()
                .getItems();
    }

    /** All pods of an execution. */
    List<Pod> pods(CreatedExecution one) {
        return admin().pods()
                .inNamespace(InstalledCluster.RUN_NAMESPACE)
                .withLabel(RunLabels.EXECUTION_UID, one.uid())
                .list()
                .getItems();
    }

    /** The pod of an execution that is in that phase. */
    Pod awaitPod(CreatedExecution one, String phase) {
        return ClusterAwait.untilPresent(
                "a pod of " + one.qualifiedName() + " is " + phase,
                () -> pods(one).stream()
                        .filter(pod -> phase.equals(pod.getStatus().getPhase()))
                        .findFirst());
    }

    /** Ends what waits in the running pod of an execution. */
    void endPod(CreatedExecution one, String how) {
        admin().resource(awaitPod(one, "Running"))
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"metadata\":{\"annotations\":{\"%s\":\"%s\"}}}"
                                .formatted(SimulatedKubelet.END_ANNOTATION, how));
    }
}
