package dev.escapement.kubernetes.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionSpec;
import dev.escapement.engine.execution.ExecutionSpec.ExecutionConfig;
import dev.escapement.engine.execution.ExecutionSpec.WorkflowRef;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.port.WorkflowRunner.Observation;
import dev.escapement.engine.port.WorkflowRunner.Preparation;
import dev.escapement.governor.failure.Failure;
import dev.escapement.governor.failure.FailureClassifier;
import dev.escapement.governor.failure.RunFacts;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.kubernetes.resource.OperatorServiceAccount;
import dev.escapement.testkit.ConditionPoller;
import dev.escapement.testkit.cluster.TestCluster;
import dev.escapement.testkit.cluster.node.SimulatedKubelet;
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
import java.util.function.ObjIntConsumer;

/** Runs in their own namespace, with the informers of an operator. */
public final class RunTestBed implements AutoCloseable {

    private final String engine;
    private final KubernetesClient client;
    private final KubernetesClient admin;
    private final String namespace;
    private final KubernetesRunnerService runnerService;
    private final String uniqueSuffix = UUID.randomUUID().toString().substring(0, 8);

    /**
     * @param client of the operator
     * @param admin reads and changes pods
     */
    public RunTestBed(String engine, KubernetesClient client, KubernetesClient admin, String namespace) {
        this.engine = engine;
        this.client = client;
        this.admin = admin;
        this.namespace = namespace;
        boolean tekton = engine.equals(KubernetesRunnerService.TEKTON);
        this.runnerService = KubernetesRunnerService.start(
                client, namespace, tekton, engine, ParameterCheck.NONE, InstantSource.system());
    }

    /** Creates a namespace for Jobs, with the permissions of the operator; needs no Tekton. */
    public static RunTestBed forJobs(TestCluster cluster) {
        return forJobs(cluster, (method, code) -> {});
    }

    public static RunTestBed forJobs(TestCluster cluster, ObjIntConsumer<String> listener) {
        return withOperatorAccount(KubernetesRunnerService.JOB, cluster, listener);
    }

    /** Creates a namespace for PipelineRuns, with the permissions of the operator. */
    public static RunTestBed forTekton(TestCluster cluster) {
        return withOperatorAccount(KubernetesRunnerService.TEKTON, cluster.installTekton(), (method, code) -> {});
    }

    private static RunTestBed withOperatorAccount(String engine, TestCluster cluster, ObjIntConsumer<String> listener) {
        KubernetesClient operator = OperatorServiceAccount.newClient(cluster, listener);
        String namespace = OperatorServiceAccount.newRunNamespace(cluster, "runs");
        OperatorServiceAccount.awaitPermissions(operator, namespace);
        return new RunTestBed(engine, operator, cluster.admin(), namespace);
    }

    public KubernetesRunnerService runnerService() {
        return runnerService;
    }

    public String namespace() {
        return namespace;
    }

    public Execution newExecution(int number, String image) {
        return newExecution(number, image, Map.of());
    }

    public Execution newExecution(int number, String image, Map<String, String> parameters) {
        return newExecution(number, parameters, workflow(image), new ExecutionConfig(Optional.empty(), "", engine));
    }

    public Execution newExecution(int number, String image, Duration timeout) {
        return newExecution(number, Map.of(), workflow(image), new ExecutionConfig(Optional.of(timeout), "", engine));
    }

    private static WorkflowRef workflow(String image) {
        return new WorkflowRef("repair", "", image, "");
    }

    public Execution newExecution(
            int number, Map<String, String> parameters, WorkflowRef workflow, ExecutionConfig config) {
        ExecutionSpec spec = new ExecutionSpec(
                workflow,
                "shop/Deployment/checkout-" + uniqueSuffix + "-" + number,
                new TreeMap<>(parameters),
                Optional.empty(),
                Optional.empty(),
                "",
                config);
        ExecutionRef ref = new ExecutionRef("ops", "e" + number, "uid-" + uniqueSuffix + "-" + number);
        return Execution.pending(ref, Instant.EPOCH, spec);
    }

    /** Prepares and starts the run of an execution. */
    public RunRef startRun(Execution execution) {
        Preparation preparation = runnerService.prepare(execution);
        assertThat(preparation).isInstanceOf(Preparation.Ready.class);
        Preparation.Ready ready = (Preparation.Ready) preparation;
        assertThat(runnerService.start(ready.run(), ready.version(), 7)).isTrue();
        return ready.run();
    }

    /** Starts the run of an execution and returns its failure. */
    public Failure awaitFailure(Execution execution) {
        return awaitFailure(execution, startRun(execution));
    }

    public Failure awaitFailure(Execution execution, RunRef run) {
        Observation observed = awaitEnd(run);
        assertThat(observed).isInstanceOf(Observation.Failed.class);
        return classify(execution, ((Observation.Failed) observed).facts());
    }

    /** Returns why the run of an execution is refused. */
    public Failure prepareRefused(Execution execution) {
        Preparation preparation = runnerService.prepare(execution);
        assertThat(preparation).isInstanceOf(Preparation.Refused.class);
        return classify(execution, ((Preparation.Refused) preparation).facts());
    }

    private static Failure classify(Execution execution, RunFacts facts) {
        return FailureClassifier.classify(
                execution.workflowId(), execution.spec().targetResource(), facts);
    }

    public Observation awaitEnd(RunRef run) {
        return ConditionPoller.awaitPresent(
                "the end of " + run.name() + " in " + namespace,
                () -> tryObserve(run).filter(observation -> !isActive(observation)));
    }

    private static boolean isActive(Observation observation) {
        return observation instanceof Observation.Running || observation instanceof Observation.Stalled;
    }

    /** An observation that throws is retried, as by the engine. */
    private Optional<Observation> tryObserve(RunRef run) {
        try {
            return Optional.of(runnerService.observe(run));
        } catch (IllegalStateException retryLater) {
            return Optional.empty();
        }
    }

    /** Returns the stored annotation of a run. */
    public String annotation(RunRef run, String key) {
        RunLocation location = RunLocation.of(run, namespace);
        boolean job = location.kind().equals("job");
        HasMetadata stored = admin.genericKubernetesResources(
                        job ? "batch/v1" : "tekton.dev/v1", job ? "Job" : "PipelineRun")
                .inNamespace(location.namespace())
                .withName(location.name())
                .get();
        return RunLabels.annotation(stored, key).orElse("");
    }

    public Pod awaitRunningPod(Execution execution) {
        return awaitPod(execution, "Running");
    }

    /** Waits until Tekton has recorded the pod in its status: it does not delete an unrecorded pod. */
    public void awaitRecordedPod(Execution execution) {
        ConditionPoller.await(
                "a pod is recorded",
                () -> TaskRunPods.isRecorded(admin, namespace, execution.ref().uid()));
    }

    public Pod awaitPod(Execution execution, String phase) {
        return ConditionPoller.awaitPresent(
                "a pod of " + execution.ref() + " that is " + phase,
                () -> pods(execution).stream()
                        .filter(pod -> pod.getStatus().getPhase().equals(phase))
                        .findFirst());
    }

    public List<Pod> pods(Execution execution) {
        return admin.pods()
                .inNamespace(namespace)
                .withLabel(RunLabels.EXECUTION_UID, execution.ref().uid())
                .list()
                .getItems();
    }

    /** Ends the waiting container in the running pod of an execution. */
    public void endPod(Execution execution, String how) {
        Pod pod = awaitRunningPod(execution);
        admin.resource(pod)
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"metadata\":{\"annotations\":{\"%s\":\"%s\"}}}"
                                .formatted(SimulatedKubelet.END_ANNOTATION, how));
    }

    @Override
    public void close() {
        runnerService.close();
        if (client != admin) {
            client.close();
        }
    }
}
