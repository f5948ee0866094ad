package dev.escapement.kubernetes.controller;

import dev.escapement.common.WorkQueue.WorkResult;
import dev.escapement.engine.WaitingIndex;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import dev.escapement.kubernetes.cache.ResourceCache;
import dev.escapement.kubernetes.resource.ClearanceRequest;
import dev.escapement.kubernetes.resource.RemediationTargetResource;
import dev.escapement.kubernetes.resource.WorkflowExecutionResource;
import dev.escapement.kubernetes.run.RunLabels;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Turns changes of executions, ledger entries and runs into tasks. A run wakes its execution and its target; one
 * without execution is all that is left of a deletion that no operator saw, and starts the clean-up. A target that is
 * not held wakes what waits for it.
 *
 * @param clearanceReconciler processes the request of a person on the entry with this name and uid
 * @param waiting follows the cache of executions, and must have been created before this registers its listeners
 */
record WatchDispatcher(
        ResourceCache<WorkflowExecutionResource> executions,
        ResourceCache<RemediationTargetResource> targets,
        ExecutionReconciler executionReconciler,
        TargetReconciler targetReconciler,
        BiFunction<String, String, WorkResult> clearanceReconciler,
        WaitingIndex waiting,
        Consumer<OperatorTask> queue)
        implements ResourceEventHandler<HasMetadata> {

    void registerListeners() {
        executions.onAdd(resource -> enqueueExecution(resource.ref()));
        executions.onUpdate((before, after) -> {
            if (ExecutionReconciler.hasLostStatus(after, before)) {
                enqueueStatusRepair(before, after);
            } else if (ExecutionReconciler.isUserChange(after, before)) {
                enqueueExecution(after.ref());
            }
            if (hasFinished(before, after)) {
                // It may have been the one that the others let go first.
                targetOf(after).ifPresent(this::enqueueWaiting);
            }
        });
        executions.onDelete(resource -> {
            enqueueCleanup(resource.ref(), targetOf(resource));
            targetOf(resource).ifPresent(this::enqueueWaiting);
        });
        targets.onAdd(this::enqueueTarget);
        targets.onUpdate((before, after) -> {
            if (!sameVersion(before, after)) {
                enqueueTarget(after);
                enqueueWaiting(after);
            }
        });
        targets.onDelete(resource -> {
            targetOf(resource).ifPresent(this::enqueueWaiting);
            if (resource.readValid().orElse(null) instanceof Held held) {
                String key = "removed target " + held.target().objectName();
                enqueue(key, () -> targetReconciler.restoreEntry(held));
            }
        });
    }

    void enqueueAllExecutions() {
        executions.all().forEach(resource -> enqueueExecution(resource.ref()));
    }

    /** Decides again what waits: a policy may admit it earlier or later. */
    void enqueueAllWaiting() {
        waiting.allCandidates().forEach(this::enqueueExecution);
    }

    /** Nothing is admitted while the target is held, so nothing has to be decided then. */
    private void enqueueWaiting(RemediationTargetResource resource) {
        boolean held = resource.getStatus() != null && resource.getStatus().holder() != null;
        if (!held) {
            targetOf(resource).ifPresent(this::enqueueWaiting);
        }
    }

    private void enqueueWaiting(Target target) {
        waiting.candidates(target).forEach(this::enqueueExecution);
    }

    private static boolean hasFinished(WorkflowExecutionResource before, WorkflowExecutionResource after) {
        return !isFinished(before) && isFinished(after);
    }

    private static boolean isFinished(WorkflowExecutionResource resource) {
        return resource.getStatus() != null && resource.getStatus().completionTime() != null;
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
        RunLabels.executionRef(run).ifPresent(owner -> {
            if (executions.get(owner.namespace(), owner.name(), owner.uid()).isPresent()) {
                enqueueExecution(owner);
            } else if (executions.findByOwner(owner.uid()).isEmpty()) {
                enqueueCleanup(
                        owner,
                        RunLabels.annotation(run, RunLabels.TARGET_RESOURCE).flatMap(Target::tryParse));
            }
        });
        Optional.ofNullable(run.getMetadata().getLabels())
                .flatMap(labels -> targets.get("", labels.getOrDefault(RunLabels.TARGET, "")))
                .ifPresent(this::enqueueTarget);
    }

    private static Optional<Target> targetOf(WorkflowExecutionResource resource) {
        return Optional.ofNullable(resource.getSpec())
                .flatMap(spec -> Optional.ofNullable(spec.targetResource()))
                .flatMap(Target::tryParse);
    }

    private static Optional<Target> targetOf(RemediationTargetResource resource) {
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

    private void enqueueStatusRepair(WorkflowExecutionResource before, WorkflowExecutionResource after) {
        String key = "status of execution %s, uid %s"
                .formatted(after.ref(), after.ref().uid());
        enqueue(key, () -> executionReconciler.restoreStatus(before, after));
    }

    private void enqueueTarget(RemediationTargetResource resource) {
        String name = resource.getMetadata().getName();
        String uid = resource.getMetadata().getUid();
        if (ClearanceRequest.isPresentOn(resource)) {
            enqueue("clearance of target %s, uid %s".formatted(name, uid), () -> clearanceReconciler.apply(name, uid));
        }
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
