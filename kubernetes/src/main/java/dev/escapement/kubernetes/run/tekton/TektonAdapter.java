package dev.escapement.kubernetes.run.tekton;

import dev.escapement.backoff.DurationText;
import dev.escapement.common.SafeText;
import dev.escapement.engine.execution.ExecutionSpec;
import dev.escapement.engine.execution.RunProgress;
import dev.escapement.engine.port.WorkflowRunner.Observation;
import dev.escapement.kubernetes.cache.ResourceCache;
import dev.escapement.kubernetes.run.ExecutorAdapter;
import dev.escapement.kubernetes.run.ExecutorAdapter.JsonPatch;
import dev.escapement.kubernetes.run.PodLookup;
import dev.escapement.kubernetes.run.ReportedTime;
import dev.escapement.kubernetes.run.RunLabels;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Runs workflows as PipelineRuns; the pipeline comes from the workflow's bundle.
 *
 * <p>A run is stopped with {@code Cancelled}, which ends its tasks at once. {@code CancelledRunFinally} would first run
 * the tasks under {@code finally}, which could still change the target and have no time limit.
 */
public record TektonAdapter(
        KubernetesClient client, String namespace, ResourceCache<TaskRun> taskRuns, PodLookup pods, InstantSource clock)
        implements ExecutorAdapter<PipelineRun> {

    /** The name of the pipeline in a bundle. */
    private static final String PIPELINE_NAME = "workflow";

    private static final String PENDING_STATUS = "PipelineRunPending";
    private static final String CANCELLED_STATUS = "Cancelled";
    private static final int MAX_QUOTED_LENGTH = 80;

    /** What Tekton says before the first task is written if it lasts for longer: each change costs a status write. */
    private static final Duration QUICK_START = Duration.ofMillis(500);

    /** For a cluster whose Tekton has no default timeout: no run holds its target without a limit. */
    static final Duration MAX_DURATION_WITHOUT_TIMEOUT = Duration.ofHours(24);

    private static final Pattern TEKTON_VARIABLE =
            Pattern.compile("\\$\\((params|context|tasks|finally|workspaces|steps?|results|inputs|outputs|credentials"
                    + "|resources|artifacts)[.\\[][^)]*\\)");

    @Override
    public Class<PipelineRun> type() {
        return PipelineRun.class;
    }

    @Override
    public String missingImageMessage() {
        return "bundle: give spec.workflowRef.containerImage, the Tekton bundle that holds its pipeline under the name"
                + " \"%s\"".formatted(PIPELINE_NAME);
    }

    /**
     * Returns an error message if a parameter contains a Tekton variable. Tekton substitutes variables in values,
     * wherever a value is used in the pipeline, and has no way to escape them. Other texts of the form {@code $(…)} are
     * passed on unchanged.
     */
    @Override
    public Optional<String> findInvalidParameter(ExecutionSpec request) {
        return request.parameters().entrySet().stream()
                .flatMap(parameter -> TEKTON_VARIABLE
                        .matcher(parameter.getValue())
                        .results()
                        .map(found -> "parameter %s contains %s, which Tekton would replace as one of its variables"
                                .formatted(
                                        SafeText.quote(parameter.getKey(), MAX_QUOTED_LENGTH),
                                        SafeText.quote(found.group(), MAX_QUOTED_LENGTH))))
                .findFirst();
    }

    /** What Tekton says of a prepared run; only the start shows how many tasks it has. */
    @Override
    public RunProgress initialProgress() {
        return new RunProgress(0, 0, "", PENDING_STATUS);
    }

    @Override
    public PipelineRun newRun(ExecutionSpec request, ObjectMeta metadata) {
        Map<String, Object> spec = new LinkedHashMap<>();
        spec.put("pipelineRef", bundleRef(request.workflow().pinnedImage().orElseThrow()));
        spec.put("params", params(request));
        spec.put("status", PENDING_STATUS);
        String account = request.config().serviceAccountName();
        if (!account.isEmpty()) {
            spec.put("taskRunTemplate", Map.of("serviceAccountName", account));
        }
        request.config().timeout().ifPresent(timeout -> {
            // Tekton takes zero for "no timeout".
            spec.put("timeouts", Map.of("pipeline", Math.max(1, timeout.toMillis()) + "ms"));
        });
        PipelineRun run = new PipelineRun();
        run.setMetadata(metadata);
        run.setSpec(spec);
        return run;
    }

    private static Map<String, Object> bundleRef(String image) {
        var params = List.of(param("bundle", image), param("name", PIPELINE_NAME), param("kind", "pipeline"));
        return Map.of("resolver", "bundles", "params", params);
    }

    private static List<Map<String, Object>> params(ExecutionSpec request) {
        Map<String, String> values = new LinkedHashMap<>(request.parameters());
        values.put("TARGET_RESOURCE", request.targetResource());
        return values.entrySet().stream()
                .map(value -> param(value.getKey(), value.getValue()))
                .toList();
    }

    private static Map<String, Object> param(String name, String value) {
        return Map.of("name", name, "value", value);
    }

    @Override
    public boolean isSuspended(PipelineRun run) {
        return specStatus(run).equals(PENDING_STATUS) && !isFinished(run);
    }

    @Override
    public boolean isFinished(PipelineRun run) {
        return SucceededCondition.of(run).isFinished();
    }

    /** Tekton counts from the start time in the status; its webhook writes its default timeout into every run. */
    @Override
    public Optional<Instant> deadline(PipelineRun run) {
        return startTime(run).map(start -> start.plus(timeout(run).orElse(MAX_DURATION_WITHOUT_TIMEOUT)));
    }

    @Override
    public Optional<Instant> failedAt(PipelineRun run) {
        SucceededCondition condition = SucceededCondition.of(run);
        return condition.failed() ? PipelineRunFailureReader.endedAt(run, condition) : Optional.empty();
    }

    private static Optional<Duration> timeout(PipelineRun run) {
        try {
            return Optional.of(new LenientNode(run.getSpec()).text("timeouts", "pipeline"))
                    .filter(text -> !text.isEmpty())
                    .map(DurationText::parse)
                    // Tekton takes zero for "no timeout".
                    .filter(timeout -> !timeout.isZero());
        } catch (IllegalArgumentException unknownFormat) {
            return Optional.empty();
        }
    }

    private static Optional<Instant> startTime(PipelineRun run) {
        return new LenientNode(run.getStatus()).instant("startTime");
    }

    /** Pods have the labels of their PipelineRun. */
    @Override
    public boolean hasChildren(PipelineRun run) {
        return !fetchTaskRuns(run).isEmpty()
                || !pods.findByLabel(RunLabels.EXECUTION_UID, RunLabels.executionUid(run))
                        .isEmpty();
    }

    @Override
    public boolean admitsByWebhook() {
        return true;
    }

    private static String specStatus(PipelineRun run) {
        return new LenientNode(run.getSpec()).text("status");
    }

    @Override
    public JsonPatch startPatch(JsonPatch patch) {
        return patch.test("/spec/status", PENDING_STATUS).remove("/spec/status");
    }

    @Override
    public JsonPatch stopPatch(JsonPatch patch) {
        return patch.set("/spec/status", CANCELLED_STATUS);
    }

    @Override
    public Observation observe(PipelineRun run) {
        SucceededCondition condition = SucceededCondition.of(run);
        PipelineSummary summary = PipelineSummary.of(run);
        var now = clock.instant();
        if (condition.succeeded()) {
            var at = PipelineRunFailureReader.endedAt(run, condition)
                    .map(end -> ReportedTime.within(end, now))
                    .orElse(now);
            return new Observation.Succeeded(summary.completedProgress(), at);
        }
        if (!condition.failed() && startTime(run).isEmpty()) {
            String version = run.getMetadata().getResourceVersion();
            return new Observation.Stalled(version, RunLabels.startedAt(run), Optional.empty());
        }
        if (!condition.failed()) {
            return observeRunning(run, condition, summary);
        }
        if (summary.children().stream()
                .filter(PipelineSummary.Child::isTaskRun)
                .flatMap(child -> cachedTaskRun(child.name()).stream())
                .anyMatch(TektonAdapter::isRunning)) {
            return new Observation.Running(RunProgress.UNKNOWN);
        }
        // The cache may not have the last ones yet.
        List<TaskRun> tasks = fetchTaskRuns(run);
        return tasks.stream().anyMatch(TektonAdapter::isRunning)
                ? new Observation.Running(RunProgress.UNKNOWN)
                : new Observation.Failed(new PipelineRunFailureReader(pods).read(run, tasks, now));
    }

    /** Reports Tekton's reason and message if there is no task at once, as with a bundle that takes long to pull. */
    private Observation observeRunning(PipelineRun run, SucceededCondition condition, PipelineSummary summary) {
        Instant slowAt = startTime(run).orElseThrow().plus(QUICK_START);
        if (!summary.children().isEmpty()) {
            return new Observation.Running(summary.progress(condition, this::cachedTaskRun));
        }
        return clock.instant().isBefore(slowAt)
                ? new Observation.Running(RunProgress.UNKNOWN, Optional.empty(), Optional.empty(), Optional.of(slowAt))
                : new Observation.Running(summary.progressBeforeFirstTask(condition));
    }

    private Optional<TaskRun> cachedTaskRun(String name) {
        return taskRuns.get(namespace, name);
    }

    /** Filters by owner too: the label holds only the name, which an earlier PipelineRun may have had. */
    private List<TaskRun> fetchTaskRuns(PipelineRun run) {
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

    /** Tekton marks a cancelled run as finished before it ends the tasks and their pods. */
    private static boolean isRunning(TaskRun task) {
        return !SucceededCondition.of(task).isFinished();
    }
}
