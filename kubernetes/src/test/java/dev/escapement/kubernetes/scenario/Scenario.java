package dev.escapement.kubernetes.scenario;

import dev.escapement.cluster.SimulatedKubelet;
import dev.escapement.cluster.testing.TestCluster;
import dev.escapement.engine.request.ExecutionService;
import dev.escapement.governor.Target;
import dev.escapement.kubernetes.operator.PolicyMap;
import dev.escapement.kubernetes.resource.RemediationTarget;
import dev.escapement.kubernetes.resource.WorkflowExecution;
import dev.escapement.kubernetes.run.Eventually;
import dev.escapement.kubernetes.run.RunLabels;
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
final class Scenario {

    private final Stage stage;
    private final String namespace;
    private final AtomicInteger targets = new AtomicInteger();

    Scenario(Stage stage, String namespace) {
        this.stage = stage;
        this.namespace = namespace;
    }

    TestCluster cluster() {
        return stage.cluster();
    }

    KubernetesClient admin() {
        return cluster().admin();
    }

    String namespace() {
        return namespace;
    }

    Bundles bundles() {
        return new Bundles(cluster().registry());
    }

    /** What people ask of the operator's API. */
    ExecutionService requests() {
        return stage.operator().requests();
    }

    RunningOperator operator() {
        return stage.operator();
    }

    void withoutOperator(Runnable something) {
        stage.without(something);
    }

    /** Changes the rules for all stories, and waits until the operator knows. */
    void rules(Map<String, String> texts) {
        write(texts);
        texts.forEach((key, value) -> Eventually.holds(
                "the operator knows " + key,
                () -> value.equals(operator().policy().document().get(key))));
    }

    /** Writes rules, whether they make sense or not. */
    void write(Map<String, String> texts) {
        admin().configMaps()
                .inNamespace(Installed.SYSTEM)
                .withName(PolicyMap.NAME)
                .edit((ConfigMap map) -> map.edit().addToData(texts).build());
    }

    /** The target of this story. */
    String target() {
        return "node/" + namespace;
    }

    /** Another target of this story. */
    String otherTarget() {
        return target() + "-" + targets.incrementAndGet();
    }

    /** On the target of this story, a workflow for Tekton with a task for each image. */
    Ask tekton(String... images) {
        return new Ask(this, "repair", bundles().of(images));
    }

    /** The same workflow under a name of its own. */
    Ask tektonAs(String workflow, String... images) {
        return new Ask(this, workflow, bundles().of(images));
    }

    /** On the target of this story, a workflow that is one image. */
    Ask job(String image) {
        return new Ask(this, "repair", "simulated.local/" + image).by("job");
    }

    /** A workflow of the bundle or image of that name. */
    Ask workflow(String workflow, String image) {
        return new Ask(this, workflow, image);
    }

    Asked asked(WorkflowExecution made) {
        Asked one = new Asked(admin(), made);
        stage.add(one);
        return one;
    }

    /** The ledger's entry of a target, as it is stored now; empty if there is none. */
    Optional<Seen> entry(String target) {
        return Optional.ofNullable(admin().resources(RemediationTarget.class)
                        .withName(Target.parse(target).objectName())
                        .get())
                .map(stored -> Seen.of(stored.getStatus()));
    }

    /** The entry when it is in that state. */
    Seen entry(String target, String state) {
        return Eventually.is(
                target + " is " + state,
                () -> entry(target).filter(seen -> seen.at("state").equals(state)));
    }

    /** What was told of a target. */
    List<Event> toldOfTarget(String target) {
        return admin().v1()
                .events()
                .inNamespace("default")
                .withField("involvedObject.name", Target.parse(target).objectName())
                .list()
                .getItems();
    }

    /** All pods of an execution. */
    List<Pod> pods(Asked one) {
        return admin().pods()
                .inNamespace(Installed.RUNS)
                .withLabel(RunLabels.EXECUTION_UID, one.uid())
                .list()
                .getItems();
    }

    /** The pod of an execution that is in that phase. */
    Pod pod(Asked one, String phase) {
        return Eventually.is(
                "a pod of " + one.title() + " is " + phase,
                () -> pods(one).stream()
                        .filter(pod -> phase.equals(pod.getStatus().getPhase()))
                        .findFirst());
    }

    /** Ends what waits in the running pod of an execution. */
    void end(Asked one, String how) {
        admin().resource(pod(one, "Running"))
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"metadata\":{\"annotations\":{\"%s\":\"%s\"}}}".formatted(SimulatedKubelet.END, how));
    }
}
