package dev.escapement.kubernetes.controller;

import dev.escapement.common.WorkQueue.WorkResult;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import dev.escapement.kubernetes.cache.ResourceCache;
import dev.escapement.kubernetes.resource.RemediationTargetResource;
import dev.escapement.kubernetes.resource.WorkflowExecutionResource;
import dev.escapement.kubernetes.run.RunLabels;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Turns changes of executions, ledger entries and runs into tasks. A run wakes its execution and its target; one
 * without execution is all that is left of a deletion that no operator saw, and starts the clean-up.
 */
record WatchDispatcher(
        ResourceCache<WorkflowExecutionResource> executions,
        ResourceCache<RemediationTargetResource> targets,
        ExecutionReconciler executionReconciler,
        TargetReconciler targetReconciler,
        Consumer<OperatorTask> queue)
        implements ResourceEventHandler<HasMetadata> {

    void registerListeners() {
        executions.onAdd(resource -> enqueueExecution(resource.ref()));
        executions.onUpdate((before, after) -> {
            if (ExecutionReconciler.isUserChange(after, before)) {
                enqueueExecution(after.ref());
            }
        });
        executions.onDelete(resource -> enqueueCleanup(resource.ref(), targetOf(resource)));
        targets.onAdd(this::enqueueTarget);
        targets.onUpdate((before, after) -> {
            if (!sameVersion(before, after)) {
                enqueueTarget(after);
            }
        });
        targets.onDelete(resource -> {
            if (resource.readValid().orElse(null) instanceof Held held) {
                String key = "removed target " + held.target().objectName();
                enqueue(key, () -> targetReconciler.restoreEntry(held));
            }
        });
    }

    void enqueueAllExecutions() {
        executions.all().forEach(resource -> enqueueExecution(resource.ref()));
    }

    void enqueueAllTargets() {
        targets.all().forEach(this::enqueueTarget);
    }

    @Override
    public void onAdd(HasMetadata run) {
        dispatchRun(run);
    }

    @Override
    public void onUpdate(HasMetadata old, HasMetadata run) {
        if (!sameVersion(old, run)) {
            dispatchRun(run);
        }
    }

    @Override
    public void onDelete(HasMetadata run, boolean finalStateUnknown) {
        dispatchRun(run);
    }

    void dispatchRun(HasMetadata run) {
        ownerOf(run).ifPresent(owner -> {
            if (executions.get(owner.namespace(), owner.name(), owner.uid()).isPresent()) {
                enqueueExecution(owner);
            } else {
                enqueueCleanup(
                        owner,
                        RunLabels.annotation(run, RunLabels.TARGET_RESOURCE).flatMap(Target::tryParse));
            }
        });
        Optional.ofNullable(run.getMetadata().getLabels())
                .flatMap(labels -> targets.get("", labels.getOrDefault(RunLabels.TARGET, "")))
                .ifPresent(this::enqueueTarget);
    }

    private static Optional<ExecutionRef> ownerOf(HasMetadata run) {
        String uid = RunLabels.executionUid(run);
        return RunLabels.annotation(run, RunLabels.EXECUTION_NAME)
                .flatMap(name -> RunLabels.annotation(run, RunLabels.EXECUTION_NAMESPACE)
                        .map(namespace -> new ExecutionRef(namespace, name, uid)));
    }

    private static Optional<Target> targetOf(WorkflowExecutionResource resource) {
        return Optional.ofNullable(resource.getSpec())
                .flatMap(spec -> Optional.ofNullable(spec.targetResource()))
                .flatMap(Target::tryParse);
    }

    private static boolean sameVersion(HasMetadata one, HasMetadata other) {
        return one.getMetadata().getResourceVersion().equals(other.getMetadata().getResourceVersion());
    }

    /** With the uid, so that an execution that is created again under the name starts without the failures before. */
    private void enqueueExecution(ExecutionRef ref) {
        enqueue("execution %s, uid %s".formatted(ref, ref.uid()), () -> executionReconciler.reconcile(ref));
    }

    private void enqueueTarget(RemediationTargetResource resource) {
        String name = resource.getMetadata().getName();
        String uid = resource.getMetadata().getUid();
        enqueue("target %s, uid %s".formatted(name, uid), () -> targetReconciler.reconcile(name, uid));
    }

    private void enqueueCleanup(ExecutionRef deleted, Optional<Target> target) {
        String key = "deleted execution %s, uid %s".formatted(deleted, deleted.uid());
        enqueue(key, () -> targetReconciler.cleanUpDeleted(deleted, target));
    }

    private void enqueue(String key, Supplier<WorkResult> action) {
        queue.accept(new OperatorTask(key, action));
    }
}
