package dev.escapement.kubernetes.run.tekton;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.RunProgress;
import dev.escapement.engine.port.WorkflowRunner.Observation;
import dev.escapement.kubernetes.run.ImageRef;
import dev.escapement.kubernetes.run.JsonPatch;
import dev.escapement.kubernetes.run.ObjectRuns;
import dev.escapement.kubernetes.run.Objection;
import dev.escapement.kubernetes.run.Pods;
import dev.escapement.kubernetes.run.RunCache;
import dev.escapement.kubernetes.run.RunKind;
import dev.escapement.kubernetes.run.RunLabels;
import dev.escapement.kubernetes.store.View;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A run as a PipelineRun, whose pipeline comes from the workflow's bundle.
 *
 * <p>It is stopped as {@code Cancelled}, which ends its tasks at once. {@code CancelledRunFinally} would let the tasks
 * under {@code finally} run first, for as long as they like: whoever cancels wants nothing more to happen to the
 * target.
 */
public final class TektonKind implements RunKind<PipelineRun> {

    private static final String PENDING = "PipelineRunPending";
    private static final String CANCELLED = "Cancelled";

    private final Function<String, Optional<TaskRun>> known;
    private final Function<PipelineRun, List<TaskRun>> current;
    private final TektonFacts facts;
    private final InstantSource clock;

    private TektonKind(
            Function<String, Optional<TaskRun>> known,
            Function<PipelineRun, List<TaskRun>> current,
            TektonFacts facts,
            InstantSource clock) {
        this.known = known;
        this.current = current;
        this.facts = facts;
        this.clock = clock;
    }

    /** The runs of a namespace. */
    public static ObjectRuns<PipelineRun> runs(
            KubernetesClient client,
            String namespace,
            RunCache<PipelineRun> pipelineRuns,
            View<TaskRun> taskRuns,
            Pods pods,
            InstantSource clock) {
        Function<String, Optional<TaskRun>> known = name -> taskRuns.get(namespace, name);
        TektonKind kind = new TektonKind(known, run -> taskRuns(client, run), new TektonFacts(pods), clock);
        return new ObjectRuns<>(client, namespace, kind, pipelineRuns, clock);
    }

    /** The label holds the name, which another PipelineRun may have had before. */
    private static List<TaskRun> taskRuns(KubernetesClient client, PipelineRun run) {
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
    public String title() {
        return "PipelineRun";
    }

    @Override
    public Class<PipelineRun> type() {
        return PipelineRun.class;
    }

    @Override
    public Optional<Objection> objection(Execution execution) {
        if (ImageRef.of(execution.spec().workflow()).isEmpty()) {
            return Optional.of(Objection.noWorkflow(("workflow %s has no bundle: give spec.workflowRef.containerImage,"
                            + " the Tekton bundle that holds its pipeline under the name \"%s\"")
                    .formatted(execution.workflowId(), PipelineRuns.PIPELINE)));
        }
        return ImageRef.contradiction(execution.spec().workflow())
                .or(() -> PipelineRuns.replaced(execution.spec()))
                .map(Objection::invalid);
    }

    @Override
    public PipelineRun make(Execution execution, ObjectMeta metadata) {
        return PipelineRuns.pending(execution.spec(), metadata, PENDING);
    }

    /** How many tasks there are is known when the bundle has been read, which happens after the start. */
    @Override
    public RunProgress prepared() {
        return RunProgress.UNKNOWN;
    }

    @Override
    public boolean isSuspended(PipelineRun run) {
        return wish(run).equals(PENDING) && !isOver(run);
    }

    @Override
    public boolean isOver(PipelineRun run) {
        return Conditions.of(run).isOver();
    }

    @Override
    public boolean isStopping(PipelineRun run) {
        return wish(run).equals(CANCELLED);
    }

    private static String wish(PipelineRun run) {
        return Node.of(run.getSpec()).at("status").text();
    }

    @Override
    public JsonPatch start(JsonPatch patch) {
        return patch.test("/spec/status", PENDING).remove("/spec/status");
    }

    @Override
    public JsonPatch stop(JsonPatch patch, String by) {
        return patch.set("/spec/status", CANCELLED).annotate(RunLabels.CANCELLED_BY, by);
    }

    @Override
    public Observation observe(PipelineRun run) {
        Conditions condition = Conditions.of(run);
        Instant now = clock.instant();
        if (condition.succeeded()) {
            Instant at = TektonFacts.endedAt(run, condition).orElse(now);
            return new Observation.Succeeded(TektonProgress.done(Outline.of(run)), at);
        }
        Outline outline = Outline.of(run);
        if (!condition.failed()) {
            return new Observation.Running(TektonProgress.of(outline, known));
        }
        if (outline.children().stream()
                .filter(Outline.Child::isTaskRun)
                .flatMap(child -> known.apply(child.name()).stream())
                .anyMatch(TektonKind::isAtWork)) {
            return new Observation.Running(RunProgress.UNKNOWN);
        }
        // The watch may not have told of the last ones yet.
        List<TaskRun> tasks = current.apply(run);
        return tasks.stream().anyMatch(TektonKind::isAtWork)
                ? new Observation.Running(RunProgress.UNKNOWN)
                : new Observation.Failed(facts.of(run, tasks, now));
    }

    /** Tekton says of a run that it cancels that it is over, and only then ends the tasks of it and their pods. */
    private static boolean isAtWork(TaskRun task) {
        return !Conditions.of(task).isOver();
    }
}
