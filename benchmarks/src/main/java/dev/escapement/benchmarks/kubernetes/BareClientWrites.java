package dev.escapement.benchmarks.kubernetes;

import dev.escapement.governor.Target;
import dev.escapement.kubernetes.run.tekton.PipelineRun;
import dev.escapement.testkit.cluster.UntypedExecution;
import dev.escapement.testkit.cluster.UntypedTarget;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Makes the six writes of an execution in sequence, with objects of the same size, and does nothing else: it reads,
 * compares and decides nothing.
 */
final class BareClientWrites {

    private final KubernetesClient client;
    private final InstantSource clock;
    private final Map<String, UntypedTarget> entries = new ConcurrentHashMap<>();

    BareClientWrites(KubernetesClient client, InstantSource clock) {
        this.client = client;
        this.clock = clock;
    }

    void writeAll(UntypedExecution execution) {
        Target target = Target.parse(String.valueOf(execution.getSpec().get("targetResource")));
        PipelineRun run = client.resource(BareClientObjects.pipelineRun(execution, target))
                .create();
        UntypedTarget held = write(BareClientObjects.heldEntry(target, execution, run, entry(target), clock.instant()));
        execution.setStatus(BareClientObjects.runningStatus(run, clock.instant()));
        UntypedExecution running = client.resource(execution).updateStatus();
        start(run);
        running.setStatus(BareClientObjects.completedStatus(run, clock.instant()));
        client.resource(running).updateStatus();
        held.setStatus(BareClientObjects.freeStatus(held, execution, clock.instant()));
        entries.put(target.objectName(), write(held));
    }

    private Optional<UntypedTarget> entry(Target target) {
        return Optional.ofNullable(entries.get(target.objectName()));
    }

    private UntypedTarget write(UntypedTarget entry) {
        boolean isNew =
                Optional.ofNullable(entry.getMetadata().getResourceVersion()).isEmpty();
        return isNew ? client.resource(entry).create() : client.resource(entry).update();
    }

    private void start(PipelineRun run) {
        List<Map<String, Object>> patch = List.of(
                Map.of(
                        "op",
                        "test",
                        "path",
                        "/metadata/uid",
                        "value",
                        run.getMetadata().getUid()),
                Map.of("op", "test", "path", "/metadata/generation", "value", 1),
                Map.of("op", "test", "path", "/spec/status", "value", "PipelineRunPending"),
                Map.of("op", "remove", "path", "/spec/status"));
        // With this object the client does not read it first.
        client.resource(run).patch(PatchContext.of(PatchType.JSON), Serialization.asJson(patch));
    }

    /** Makes the other requests of the operator: the second read and four Events. */
    void readAndPublishEvents(UntypedExecution execution) {
        client.resources(UntypedExecution.class)
                .inNamespace(BenchmarkCluster.REQUEST_NAMESPACE)
                .withName(execution.getMetadata().getName())
                .get();
        for (String reason : List.of("WorkflowAccepted", "PipelineRunCreated", "WorkflowCompleted", "LockReleased")) {
            client.resource(BareClientObjects.event(execution, reason, clock.instant()))
                    .create();
        }
    }
}
