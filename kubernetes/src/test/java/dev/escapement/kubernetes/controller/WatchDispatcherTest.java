package dev.escapement.kubernetes.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.api.ApiGroup;
import dev.escapement.common.WorkQueue.WorkResult;
import dev.escapement.engine.Engine;
import dev.escapement.engine.WaitingIndex;
import dev.escapement.engine.contract.ExecutionSamples;
import dev.escapement.engine.execution.Execution;
import dev.escapement.governor.Policy;
import dev.escapement.kubernetes.cache.ResourceCache;
import dev.escapement.kubernetes.resource.RemediationTargetResource;
import dev.escapement.kubernetes.resource.WorkflowExecutionResource;
import dev.escapement.kubernetes.run.RunLabels;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WatchDispatcherTest {

    private final ResourceCache<WorkflowExecutionResource> executions = new ResourceCache<>();
    private final ResourceCache<RemediationTargetResource> targets = new ResourceCache<>();
    private final List<String> tasks = new ArrayList<>();
    private final FailingStore store = new FailingStore(() -> new IllegalStateException("not used"));
    private final Engine engine = new Engine(store, new UnsupportedRunner(), () -> Policy.DEFAULT);
    private final WaitingIndex waiting = new WaitingIndex();
    private final WatchDispatcher dispatcher = new WatchDispatcher(
            executions,
            targets,
            new ExecutionReconciler(
                    executions,
                    engine,
                    new InvalidExecutionHandler(store, targets, () -> ExecutionSamples.NOW),
                    () -> ExecutionSamples.NOW,
                    (resource, message) -> {}),
            new TargetReconciler(targets, executions, engine, run -> {}, entry -> true, () -> ExecutionSamples.NOW),
            (name, uid) -> WorkResult.DONE,
            waiting,
            task -> tasks.add(task.key()));

    @BeforeEach
    void registerListeners() {
        dispatcher.registerListeners();
    }

    private static WorkflowExecutionResource execution(String uid, int version) {
        WorkflowExecutionResource resource = WorkflowExecutionResource.newResource(ExecutionSamples.execution(1));
        resource.getMetadata().setUid(uid);
        resource.getMetadata().setResourceVersion(Integer.toString(version));
        return resource;
    }

    private static RemediationTargetResource target(String uid, int version) {
        RemediationTargetResource resource = RemediationTargetResource.updatedResource(
                Integer.toString(version), ExecutionSamples.heldEntry(ExecutionSamples.execution(1)));
        resource.getMetadata().setUid(uid);
        return resource;
    }

    private static ConfigMap run(String executionUid) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName("run")
                .withResourceVersion("1")
                .withLabels(Map.of(
                        RunLabels.EXECUTION_UID,
                        executionUid,
                        RunLabels.TARGET,
                        target("t", 1).getMetadata().getName()))
                .withAnnotations(Map.of(RunLabels.EXECUTION_NAMESPACE, "ops", RunLabels.EXECUTION_NAME, "e1"))
                .endMetadata()
                .build();
    }

    private void putExecution(WorkflowExecutionResource resource) {
        executions.put("ops/e1", resource);
    }

    private void putTarget(RemediationTargetResource resource) {
        targets.put(resource.getMetadata().getName(), resource);
    }

    @Test
    void reconcilesNewExecutionAndUserChangesOnly() {
        putExecution(execution("a", 1));
        putExecution(execution("a", 2));
        assertThat(tasks).containsExactly("execution ops/e1, uid a");
        WorkflowExecutionResource cancelled = execution("a", 3);
        cancelled.getMetadata().setAnnotations(Map.of(ApiGroup.CANCELLED_BY, "anna"));
        putExecution(cancelled);
        assertThat(tasks).hasSize(2);
    }

    /** The failures of the earlier one would delay it. */
    @Test
    void reconcilesNewExecutionOfSameNameAsAnotherTask() {
        putExecution(execution("a", 1));
        putExecution(execution("b", 5));
        assertThat(tasks)
                .containsExactly(
                        "execution ops/e1, uid a", "deleted execution ops/e1, uid a", "execution ops/e1, uid b");
    }

    @Test
    void reconcilesTargetOnEveryNewVersion() {
        String name = target("t", 1).getMetadata().getName();
        putTarget(target("t", 1));
        putTarget(target("t", 1));
        putTarget(target("t", 2));
        String task = "target %s, uid t".formatted(name);
        assertThat(tasks).containsExactly(task, task);
        targets.remove(name);
        putTarget(target("u", 7));
        assertThat(tasks).endsWith("removed target " + name, "target %s, uid u".formatted(name));
    }

    @Test
    void reconcilesRequestOfPersonBeforeItsTarget() {
        RemediationTargetResource annotated = target("t", 1);
        annotated.getMetadata().setAnnotations(Map.of(ApiGroup.CLEAR, "checked", ApiGroup.CLEARED_BY, "anna"));
        putTarget(annotated);
        String name = annotated.getMetadata().getName();
        assertThat(tasks)
                .containsExactly("clearance of target %s, uid t".formatted(name), "target %s, uid t".formatted(name));
    }

    @Test
    void reconcilesExecutionAndTargetOfRun() {
        putExecution(execution("a", 1));
        putTarget(target("t", 1));
        tasks.clear();
        dispatcher.onAdd(run("a"));
        assertThat(tasks)
                .containsExactly(
                        "execution ops/e1, uid a",
                        "target %s, uid t"
                                .formatted(target("t", 1).getMetadata().getName()));
        dispatcher.onUpdate(run("a"), run("a"));
        assertThat(tasks).describedAs("the same version").hasSize(2);
    }

    @Test
    void cleansUpAfterRunWithoutExecution() {
        putExecution(execution("b", 5));
        tasks.clear();
        dispatcher.onAdd(run("a"));
        assertThat(tasks).containsExactly("deleted execution ops/e1, uid a");
    }

    private static Execution waitingExecution(int number, String workflow) {
        return ExecutionSamples.waitingExecution(number, workflow, ExecutionSamples.NODE.canonical());
    }

    private static RemediationTargetResource freeTarget(String uid, int version) {
        RemediationTargetResource resource = RemediationTargetResource.updatedResource(
                Integer.toString(version), ExecutionSamples.blockedEntry(ExecutionSamples.execution(1)));
        resource.getMetadata().setUid(uid);
        return resource;
    }

    @Test
    void releaseWakesOldestThatWaitOfEachWorkflow() {
        waiting.update(waitingExecution(3, "repair"));
        waiting.update(waitingExecution(2, "repair"));
        waiting.update(waitingExecution(4, "reboot"));
        targets.put("wfe", target("t1", 1));
        tasks.clear();
        targets.put("wfe", target("t1", 2));
        assertThat(tasks).noneMatch(key -> key.startsWith("execution"));
        targets.put("wfe", freeTarget("t1", 3));
        assertThat(tasks)
                .filteredOn(key -> key.startsWith("execution"))
                .containsExactly("execution ops/e2, uid uid-ops-2", "execution ops/e4, uid uid-ops-4");
    }

    @Test
    void removalOfHeldEntryWakesWhatWaits() {
        waiting.update(waitingExecution(2, "repair"));
        targets.put("wfe", target("t1", 1));
        tasks.clear();
        targets.remove("wfe");
        assertThat(tasks).contains("execution ops/e2, uid uid-ops-2");
    }

    @Test
    void changeOfPolicyWakesWhatWaits() {
        waiting.update(waitingExecution(2, "repair"));
        dispatcher.enqueueAllWaiting();
        assertThat(tasks).containsExactly("execution ops/e2, uid uid-ops-2");
    }
}
