package dev.escapement.benchmarks.kubernetes;

import dev.escapement.governor.Target;
import dev.escapement.testkit.ConditionPoller;
import dev.escapement.testkit.cluster.UntypedExecution;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** Creates executions and follows their phases with a watch. */
final class ExecutionTracker implements AutoCloseable, ResourceEventHandler<UntypedExecution> {

    private static final Set<String> FINAL_PHASES = Set.of("Completed", "Failed", "Skipped");

    private final KubernetesClient client;
    private final Map<String, String> phases = new ConcurrentHashMap<>();
    private final Map<String, String> targets = new ConcurrentHashMap<>();
    private final SharedIndexInformer<UntypedExecution> informer;
    private volatile ProcessHandle watchedProcess = ProcessHandle.current();
    private volatile Consumer<String> endListener = name -> {};

    ExecutionTracker(KubernetesClient client) {
        this.client = client;
        this.informer = client.resources(UntypedExecution.class)
                .inNamespace(BenchmarkCluster.REQUEST_NAMESPACE)
                .inform(this);
    }

    /** Sets the listener that gets the name of every execution that finishes. */
    void setEndListener(Consumer<String> listener) {
        endListener = listener;
    }

    UntypedExecution create(String name, String workflow, String image, String target) {
        Map<String, Object> reference = new LinkedHashMap<>(Map.of("workflowId", workflow));
        if (!image.isEmpty()) {
            reference.put("containerImage", image);
        }
        UntypedExecution execution = new UntypedExecution();
        execution.setMetadata(new ObjectMetaBuilder()
                .withNamespace(BenchmarkCluster.REQUEST_NAMESPACE)
                .withName(name)
                .build());
        execution.setSpec(Map.of(
                "workflowRef",
                reference,
                "targetResource",
                target,
                "parameters",
                Map.of("REPLICAS", "3", "REASON", "its pods restart repeatedly"),
                "executionConfig",
                Map.of("engine", "tekton", "timeout", "10m")));
        targets.put(name, Target.parse(target).objectName());
        return client.resource(execution).create();
    }

    /** Returns the object names of the targets, by the names of the executions. */
    Map<String, String> targets() {
        return Map.copyOf(targets);
    }

    String phase(String name) {
        return phases.getOrDefault(name, "");
    }

    void awaitPhase(Collection<String> names, String phase, Duration timeout) {
        ConditionPoller.await(
                () -> "all executions are %s; now: %s"
                        .formatted(
                                phase,
                                names.stream()
                                        .map(name -> name + " " + phase(name))
                                        .toList()),
                timeout,
                () -> names.stream().allMatch(name -> hasPhase(name, phase)));
    }

    /** Makes every later wait fail when this process has exited. */
    void failWhenExits(ProcessHandle process) {
        watchedProcess = process;
    }

    private boolean hasPhase(String name, String phase) {
        if (!watchedProcess.isAlive()) {
            throw new IllegalStateException("the operator has exited; see its log");
        }
        String current = phase(name);
        if (FINAL_PHASES.contains(current) && !current.equals(phase)) {
            throw new IllegalStateException("execution %s is %s, not %s".formatted(name, current, phase));
        }
        return current.equals(phase);
    }

    @Override
    public void onAdd(UntypedExecution execution) {
        updatePhase(execution);
    }

    @Override
    public void onUpdate(UntypedExecution old, UntypedExecution execution) {
        updatePhase(execution);
    }

    @Override
    public void onDelete(UntypedExecution execution, boolean finalStateUnknown) {
        phases.remove(execution.getMetadata().getName());
    }

    private void updatePhase(UntypedExecution execution) {
        String name = execution.getMetadata().getName();
        String phase = Optional.ofNullable(execution.getStatus())
                .map(status -> String.valueOf(status.get("phase")))
                .orElse("");
        String before = Optional.ofNullable(phases.put(name, phase)).orElse("");
        if (FINAL_PHASES.contains(phase) && !FINAL_PHASES.contains(before)) {
            endListener.accept(name);
        }
    }

    @Override
    public void close() {
        informer.close();
    }
}
