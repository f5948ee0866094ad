package dev.escapement.kubernetes.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.cluster.SimulatedKubelet;
import dev.escapement.cluster.testing.TestCluster;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionConfig;
import dev.escapement.engine.execution.ExecutionSpec;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.execution.WorkflowRef;
import dev.escapement.engine.port.WorkflowRunner.Observation;
import dev.escapement.engine.port.WorkflowRunner.Preparation;
import dev.escapement.governor.failure.Failure;
import dev.escapement.governor.failure.FailureClassifier;
import dev.escapement.governor.failure.FailureSubject;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.kubernetes.operator.ApiServer;
import dev.escapement.kubernetes.operator.RunWatches;
import dev.escapement.kubernetes.resource.OperatorAccount;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

/** Runs in a namespace of their own, with watches as an operator has them. */
public final class RunBench implements AutoCloseable {

    private final String engine;
    private final KubernetesClient client;
    private final KubernetesClient admin;
    private final String namespace;
    private final KubernetesRuns runs;
    private final RunWatches watches;
    private final String world = UUID.randomUUID().toString().substring(0, 8);

    /** Everything is done by this client; pods are looked after by the administrator. */
    public RunBench(String engine, KubernetesClient client, KubernetesClient admin, String namespace) {
        this.engine = engine;
        this.client = client;
        this.admin = admin;
        this.namespace = namespace;
        this.watches =
                RunWatches.start(client, namespace, engine.equals(KubernetesRuns.TEKTON), InstantSource.system());
        this.runs = watches.runs(engine);
    }

    /** In a new namespace of a cluster that may have no Tekton, with the rights of the operator. */
    public static RunBench jobs(TestCluster cluster) {
        return jobs(cluster, (method, code) -> {});
    }

    /** The same, telling somebody of every answer of the API server. */
    public static RunBench jobs(TestCluster cluster, ApiServer.Calls calls) {
        return ofOperator(KubernetesRuns.JOB, cluster, calls);
    }

    /** In a new namespace of a cluster with Tekton, with the rights of the operator. */
    public static RunBench tekton(TestCluster cluster) {
        return ofOperator(KubernetesRuns.TEKTON, cluster.withTekton(), (method, code) -> {});
    }

    private static RunBench ofOperator(String engine, TestCluster cluster, ApiServer.Calls calls) {
        KubernetesClient operator = OperatorAccount.client(cluster, calls);
        String namespace = OperatorAccount.moreRuns(cluster, "runs");
        OperatorAccount.awaitRights(operator, namespace);
        return new RunBench(engine, operator, cluster.admin(), namespace);
    }

    public KubernetesRuns runs() {
        return runs;
    }

    public String namespace() {
        return namespace;
    }

    /** The n-th execution of this bench. */
    public Execution execution(int number, String image) {
        return execution(number, image, Map.of());
    }

    public Execution execution(int number, String image, Map<String, String> parameters) {
        return execution(number, parameters, workflow(image), new ExecutionConfig(Optional.empty(), "", engine));
    }

    public Execution execution(int number, String image, Duration timeout) {
        return execution(number, Map.of(), workflow(image), new ExecutionConfig(Optional.of(timeout), "", engine));
    }

    private static WorkflowRef workflow(String image) {
        return new WorkflowRef("repair", "", image, "");
    }

    public Execution execution(
            int number, Map<String, String> parameters, WorkflowRef workflow, ExecutionConfig config) {
        ExecutionSpec spec = new ExecutionSpec(
                workflow,
                "shop/Deployment/checkout-" + world + "-" + number,
                new TreeMap<>(parameters),
                Optional.empty(),
                Optional.empty(),
                "",
                config);
        ExecutionRef ref = new ExecutionRef("ops", "e" + number, "uid-" + world + "-" + number);
        return Execution.pending(ref, Instant.EPOCH, spec);
    }

    /** Prepares and starts the run of an execution. */
    public RunRef go(Execution execution) {
        Preparation preparation = runs.prepare(execution);
        assertThat(preparation).isInstanceOf(Preparation.Ready.class);
        Preparation.Ready ready = (Preparation.Ready) preparation;
        assertThat(runs.start(ready.run(), ready.version(), 7)).isTrue();
        return ready.run();
    }

    /** How the run of an execution fails. */
    public Failure failure(Execution execution) {
        return failure(execution, go(execution));
    }

    /** How a run fails that was started. */
    public Failure failure(Execution execution, RunRef run) {
        Observation observed = ended(run);
        assertThat(observed).isInstanceOf(Observation.Failed.class);
        return FailureClassifier.classify(subject(execution), ((Observation.Failed) observed).facts());
    }

    /** How an execution is refused. */
    public Failure refusal(Execution execution) {
        Preparation preparation = runs.prepare(execution);
        assertThat(preparation).isInstanceOf(Preparation.Refused.class);
        return FailureClassifier.classify(subject(execution), ((Preparation.Refused) preparation).facts());
    }

    private static FailureSubject subject(Execution execution) {
        return new FailureSubject(execution.workflowId(), execution.spec().targetResource());
    }

    /** What a run looks like when it has ended. */
    public Observation ended(RunRef run) {
        return Eventually.is(
                "the end of " + run.name() + " in " + namespace,
                () -> look(run).filter(seen -> !(seen instanceof Observation.Running)));
    }

    /** A look that did not get through is repeated, as by an engine. */
    private Optional<Observation> look(RunRef run) {
        try {
            return Optional.of(runs.observe(run));
        } catch (IllegalStateException notYet) {
            return Optional.empty();
        }
    }

    /** What an annotation of a run says, as it is stored. */
    public String annotation(RunRef run, String key) {
        RunPlace place = RunPlace.of(run, namespace);
        boolean job = place.kind().equals("job");
        HasMetadata stored = admin.genericKubernetesResources(
                        job ? "batch/v1" : "tekton.dev/v1", job ? "Job" : "PipelineRun")
                .inNamespace(place.namespace())
                .withName(place.name())
                .get();
        return RunLabels.annotation(stored, key).orElse("");
    }

    /** The pod of an execution, when it runs. */
    public Pod running(Execution execution) {
        return pod(execution, "Running");
    }

    /**
     * Tekton ends only those pods that it has noted: one that it has just made goes on, whatever becomes of the run.
     */
    public void noted(Execution execution) {
        Eventually.holds(
                "a pod is noted",
                () -> NotedPods.of(admin, namespace, execution.ref().uid()));
    }

    /** The pod of an execution, in that phase. */
    public Pod pod(Execution execution, String phase) {
        return Eventually.is(
                "a pod of " + execution.ref() + " that is " + phase,
                () -> pods(execution).stream()
                        .filter(pod -> pod.getStatus().getPhase().equals(phase))
                        .findFirst());
    }

    /** All pods of an execution. */
    public List<Pod> pods(Execution execution) {
        return admin.pods()
                .inNamespace(namespace)
                .withLabel(RunLabels.EXECUTION_UID, execution.ref().uid())
                .list()
                .getItems();
    }

    /** Ends what waits in a running pod of an execution. */
    public void end(Execution execution, String how) {
        Pod pod = running(execution);
        admin.resource(pod)
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"metadata\":{\"annotations\":{\"%s\":\"%s\"}}}".formatted(SimulatedKubelet.END, how));
    }

    @Override
    public void close() {
        watches.close();
        if (client != admin) {
            client.close();
        }
    }
}
