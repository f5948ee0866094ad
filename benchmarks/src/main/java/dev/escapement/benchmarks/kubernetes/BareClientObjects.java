package dev.escapement.benchmarks.kubernetes;

import dev.escapement.governor.Target;
import dev.escapement.kubernetes.run.tekton.PipelineRun;
import dev.escapement.testkit.cluster.UntypedExecution;
import dev.escapement.testkit.cluster.UntypedTarget;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The objects of the bare client, with the same fields and the same size as those that the operator writes. */
final class BareClientObjects {

    private BareClientObjects() {}

    static PipelineRun pipelineRun(UntypedExecution execution, Target target) {
        ObjectMeta meta = execution.getMetadata();
        PipelineRun run = new PipelineRun();
        run.setMetadata(new ObjectMetaBuilder()
                .withNamespace(BenchmarkCluster.RUN_NAMESPACE)
                .withName(ExpectedRunNames.of(target, meta.getUid()))
                .withLabels(Map.of(
                        "app.kubernetes.io/managed-by", "escapement",
                        "kubernaut.ai/execution-uid", meta.getUid(),
                        "kubernaut.ai/target", target.objectName()))
                .withAnnotations(Map.of(
                        "kubernaut.ai/execution-namespace", meta.getNamespace(),
                        "kubernaut.ai/execution-name", meta.getName(),
                        "kubernaut.ai/target-resource", target.canonical(),
                        "kubernaut.ai/workflow-id", workflowId(execution)))
                .build());
        Map<String, Object> resolver = Map.of(
                "resolver",
                "bundles",
                "params",
                List.of(param("bundle", LoadFeed.IMAGE), param("name", "workflow"), param("kind", "pipeline")));
        run.setSpec(new LinkedHashMap<>(Map.of(
                "pipelineRef",
                resolver,
                "params",
                List.of(
                        param("REPLICAS", "3"),
                        param("REASON", "its pods restart repeatedly"),
                        param("TARGET_RESOURCE", target.canonical())),
                "status",
                "PipelineRunPending",
                "timeouts",
                Map.of("pipeline", "600000ms"))));
        return run;
    }

    private static Map<String, Object> param(String name, String value) {
        return Map.of("name", name, "value", value);
    }

    private static String workflowId(UntypedExecution execution) {
        return execution.getSpec().get("workflowRef") instanceof Map<?, ?> reference
                ? String.valueOf(reference.get("workflowId"))
                : "";
    }

    private static Map<String, Object> ref(UntypedExecution execution) {
        ObjectMeta meta = execution.getMetadata();
        return new LinkedHashMap<>(Map.of(
                "name", meta.getName(),
                "namespace", meta.getNamespace(),
                "uid", meta.getUid(),
                "workflowId", workflowId(execution)));
    }

    private static Map<String, Object> ref(PipelineRun run) {
        return Map.of(
                "name",
                "pipelinerun/" + run.getMetadata().getNamespace() + "/"
                        + run.getMetadata().getName(),
                "uid",
                run.getMetadata().getUid());
    }

    static UntypedTarget heldEntry(
            Target target, UntypedExecution execution, PipelineRun run, Optional<UntypedTarget> before, Instant now) {
        Map<String, Object> holder = ref(execution);
        holder.put("startedAt", now.toString());
        holder.put("pipelineRun", ref(run));
        UntypedTarget entry = before.orElseGet(() -> newEntry(target));
        Map<String, Object> status = new LinkedHashMap<>(entry.getStatus());
        status.put("state", "Held");
        status.merge("epoch", 1L, (old, one) -> ((Number) old).longValue() + 1);
        status.put("holder", holder);
        entry.setStatus(status);
        return entry;
    }

    private static UntypedTarget newEntry(Target target) {
        UntypedTarget entry = new UntypedTarget();
        entry.setMetadata(new ObjectMetaBuilder()
                .withName(target.objectName())
                .addToLabels("app.kubernetes.io/managed-by", "escapement")
                .build());
        entry.setSpec(Map.of("targetResource", target.canonical()));
        entry.setStatus(Map.of("epoch", 0L));
        return entry;
    }

    /** With the completed workflows, as in the entry of a target that is cooling down. */
    static Map<String, Object> freeStatus(UntypedTarget held, UntypedExecution execution, Instant now) {
        Map<String, Object> past = ref(execution);
        past.put("completedAt", now.toString());
        past.put("outcome", "Completed");
        Map<String, Object> status = new LinkedHashMap<>(held.getStatus());
        List<Object> workflows = new ArrayList<>();
        if (status.get("workflows") instanceof List<?> known) {
            workflows.addAll(known);
        }
        workflows.add(Map.of("workflowId", workflowId(execution), "completed", past));
        status.put("workflows", workflows);
        status.put("state", "Free");
        status.remove("holder");
        return status;
    }

    static Map<String, Object> runningStatus(PipelineRun run, Instant now) {
        Map<String, Object> ref = new LinkedHashMap<>(ref(run));
        ref.put("epoch", 1);
        return Map.of(
                "phase",
                "Running",
                "observedGeneration",
                1,
                "startTime",
                now.toString(),
                "pipelineRunRef",
                ref,
                "pipelineRunStatus",
                Map.of("status", "Running", "completedTasks", 0, "totalTasks", 0),
                "conditions",
                conditions("Running", "Unknown", "False", now));
    }

    static Map<String, Object> completedStatus(PipelineRun run, Instant now) {
        return Map.of(
                "phase", "Completed",
                "observedGeneration", 1,
                "outcome", "Success",
                "startTime", now.toString(),
                "completionTime", now.toString(),
                "duration", "0s",
                "pipelineRunRef", ref(run),
                "pipelineRunStatus", Map.of("status", "Succeeded", "completedTasks", 1, "totalTasks", 1),
                "conditions", conditions("Completed", "True", "True", now));
    }

    private static List<Map<String, String>> conditions(String reason, String succeeded, String finished, Instant now) {
        return List.of(condition("Succeeded", succeeded, reason, now), condition("Finished", finished, reason, now));
    }

    private static Map<String, String> condition(String type, String status, String reason, Instant now) {
        return Map.of("type", type, "status", status, "reason", reason, "lastTransitionTime", now.toString());
    }

    static Event event(UntypedExecution execution, String reason, Instant now) {
        ObjectMeta meta = execution.getMetadata();
        return new EventBuilder()
                .withNewMetadata()
                .withNamespace(meta.getNamespace())
                .withName(meta.getName() + "." + reason.toLowerCase(Locale.ROOT))
                .endMetadata()
                .withNewInvolvedObject()
                .withApiVersion("kubernaut.ai/v1alpha1")
                .withKind("WorkflowExecution")
                .withNamespace(meta.getNamespace())
                .withName(meta.getName())
                .withUid(meta.getUid())
                .endInvolvedObject()
                .withType("Normal")
                .withReason(reason)
                .withMessage("Workflow %s on its target".formatted(workflowId(execution)))
                .withNewSource()
                .withComponent("escapement")
                .endSource()
                .withFirstTimestamp(now.toString())
                .withLastTimestamp(now.toString())
                .withCount(1)
                .build();
    }
}
