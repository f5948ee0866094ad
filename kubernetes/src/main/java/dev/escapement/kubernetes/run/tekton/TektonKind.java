package dev.escapement.kubernetes.run.tekton;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.RunProgress;
import dev.escapement.engine.port.WorkflowRunner.Observation;
import dev.escapement.kubernetes.cache.ResourceCache;
import dev.escapement.kubernetes.run.ImageRef;
import dev.escapement.kubernetes.run.JsonPatch;
import dev.escapement.kubernetes.run.KubernetesObjectRunner;
import dev.escapement.kubernetes.run.PodLookup;
import dev.escapement.kubernetes.run.RunKind;
import dev.escapement.kubernetes.run.RunLabels;
import dev.escapement.kubernetes.run.RunRejection;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Runs workflows as PipelineRuns; the pipeline comes from the workflow's bundle.
 *
 * <p>A run is stopped with {@code Cancelled}, which ends its tasks at once. {@code CancelledRunFinally} would first run
 * the tasks under {@code finally}, which could still change the target and have no time limit.
 */
public final class TektonKind implements RunKind<PipelineRun> {

    private static final String PENDING_STATUS = "PipelineRunPending";
    private static final String CANCELLED_STATUS = "Cancelled";

    private final Function<String, Optional<TaskRun>> cachedTaskRuns;
    private final Function<PipelineRun, List<TaskRun>> taskRunFetcher;
    private final PipelineRunFailureReader failureReader;
    private final InstantSource clock;

    private TektonKind(
            Function<String, Optional<TaskRun>> cachedTaskRuns,
            Function<PipelineRun, List<TaskRun>> taskRunFetcher,
            PipelineRunFailureReader failureReader,
            InstantSource clock) {
        this.cachedTaskRuns = cachedTaskRuns;
        this.taskRunFetcher = taskRunFetcher;
        this.failureReader = failureReader;
        this.clock = clock;
    }

    public static KubernetesObjectRunner<PipelineRun> newRunner(
            KubernetesClient client,
            String namespace,
            ResourceCache<PipelineRun> pipelineRuns,
            ResourceCache<TaskRun> taskRuns,
            PodLookup pods,
            InstantSource clock) {
        Function<String, Optional<TaskRun>> cachedTaskRuns = name -> taskRuns.get(namespace, name);
        TektonKind kind = new TektonKind(
                cachedTaskRuns, run -> fetchTaskRuns(client, run), new PipelineRunFailureReader(pods), clock);
        return new KubernetesObjectRunner<>(client, namespace, kind, pipelineRuns, clock);
    }

    /** Filters by owner too: the label holds only the name, which an earlier PipelineRun may have had. */
    private static List<TaskRun> fetchTaskRuns(KubernetesClient client, PipelineRun run) {
        return client
                .resources(TaskRun.class)
                .inNamespace(run.getMetadata().getNamespace())
                .withLabel("tekton.dev/pipelineRun", run.getMetadata().getName())
                .list()
                .getItems()
                .stream()
                .filter(task -> task.getMetadata().getOwnerReferences().stream()
                        .anyMatch(
                                owner -> owner.getUid().equals(run.getMetadata().getUid())))
                .toList();
    }

    @Override
    public String prefix() {
        return "pipelinerun";
    }

    @Override
    public String kindName() {
        return "PipelineRun";
    }

    @Override
    public Class<PipelineRun> type() {
        return PipelineRun.class;
    }

    @Override
    public Optional<RunRejection> rejection(Execution execution) {
        if (ImageRef.of(execution.spec().workflow()).isEmpty()) {
            return Optional.of(
                    RunRejection.workflowNotFound(("workflow %s has no bundle: give spec.workflowRef.containerImage,"
                                    + " the Tekton bundle that holds its pipeline under the name \"%s\"")
                            .formatted(execution.workflowId(), PipelineRunFactory.PIPELINE_NAME)));
        }
        return ImageRef.digestConflict(execution.spec().workflow())
                .or(() -> PipelineRunFactory.findTektonVariable(execution.spec()))
                .map(RunRejection::invalid);
    }

    @Override
    public PipelineRun newRun(Execution execution, ObjectMeta metadata) {
        return PipelineRunFactory.newPendingRun(execution.spec(), metadata, PENDING_STATUS);
    }

    /** The number of tasks is unknown until Tekton has read the bundle, after the start. */
    @Override
    public RunProgress initialProgress() {
        return RunProgress.UNKNOWN;
    }

    @Override
    public boolean isSuspended(PipelineRun run) {
        return specStatus(run).equals(PENDING_STATUS) && !isFinished(run);
    }

    @Override
    public boolean isFinished(PipelineRun run) {
        return SucceededCondition.of(run).isFinished();
    }

    @Override
    public boolean isStopping(PipelineRun run) {
        return specStatus(run).equals(CANCELLED_STATUS);
    }

    private static String specStatus(PipelineRun run) {
        return LenientNode.of(run.getSpec()).at("status").text();
    }

    @Override
    public JsonPatch startPatch(JsonPatch patch) {
        return patch.test("/spec/status", PENDING_STATUS).remove("/spec/status");
    }

    @Override
    public JsonPatch stopPatch(JsonPatch patch, String by) {
        return patch.set("/spec/status", CANCELLED_STATUS).annotate(RunLabels.CANCELLED_BY, by);
    }

    @Override
    public Observation observe(PipelineRun run) {
        SucceededCondition condition = SucceededCondition.of(run);
        Instant now = clock.instant();
        if (condition.succeeded()) {
            Instant at = PipelineRunFailureReader.endedAt(run, condition).orElse(now);
            return new Observation.Succeeded(TektonProgress.completed(PipelineSummary.of(run)), at);
        }
        PipelineSummary summary = PipelineSummary.of(run);
        if (!condition.failed()) {
            return new Observation.Running(TektonProgress.of(summary, cachedTaskRuns));
        }
        if (summary.children().stream()
                .filter(PipelineSummary.Child::isTaskRun)
                .flatMap(child -> cachedTaskRuns.apply(child.name()).stream())
                .anyMatch(TektonKind::isRunning)) {
            return new Observation.Running(RunProgress.UNKNOWN);
        }
        // The cache may not have the last ones yet.
        List<TaskRun> tasks = taskRunFetcher.apply(run);
        return tasks.stream().anyMatch(TektonKind::isRunning)
                ? new Observation.Running(RunProgress.UNKNOWN)
                : new Observation.Failed(failureReader.read(run, tasks, now));
    }

    /** Tekton marks a cancelled run as finished before it ends the tasks and their pods. */
    private static boolean isRunning(TaskRun task) {
        return !SucceededCondition.of(task).isFinished();
    }
}
