package dev.escapement.kubernetes.controller;

import dev.escapement.common.FailureLog;
import dev.escapement.engine.Engine;
import dev.escapement.engine.Requeue;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.port.RunnerService;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import dev.escapement.kubernetes.cache.ResourceCache;
import dev.escapement.kubernetes.ledger.LedgerReset;
import dev.escapement.kubernetes.resource.LedgerEntryCodec;
import dev.escapement.kubernetes.resource.RemediationTargetResource;
import dev.escapement.kubernetes.resource.WorkflowExecutionResource;
import dev.escapement.kubernetes.run.RunLabels;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.LoggerFactory;

/**
 * Cleans up after deletions. Of executions: frees their targets, removes what they prepared, and forgets their ended
 * runs. It hears of deletions, and of runs that belong to nobody: those are all that is left of a deletion that nobody
 * watched. Of entries: puts back what somebody deleted while an execution holds it.
 */
final class DeletionCleanup implements AutoCloseable {

    private final ResourceCache<WorkflowExecutionResource> executions;
    private final ExecutionStore store;
    private final Engine engine;
    private final RunnerService runnerService;
    private final LedgerReset ledgerReset;
    private final InstantSource clock;
    private final RetryDelays retryDelays = new RetryDelays();
    private final FailureLog failureLog = new FailureLog(
            LoggerFactory.getLogger(DeletionCleanup.class), "Cleaning up after deletions", FailureLog.RECOVERY_PERIOD);
    private final Set<String> queuedUids = ConcurrentHashMap.newKeySet();
    private final ScheduledThreadPoolExecutor worker;
    private volatile boolean active;

    DeletionCleanup(
            ResourceCache<WorkflowExecutionResource> executions,
            ExecutionStore store,
            Engine engine,
            RunnerService runs,
            LedgerReset forgetting,
            InstantSource clock) {
        this.ledgerReset = forgetting;
        this.executions = executions;
        this.store = store;
        this.engine = engine;
        this.runnerService = runs;
        this.clock = clock;
        this.worker = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "cleanup");
            thread.setDaemon(true);
            return thread;
        });
        worker.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /** Begins to work; before, it hears nothing. */
    void start() {
        active = true;
    }

    /** Whether its thread can work. */
    boolean isAlive() {
        return !worker.isShutdown();
    }

    /** An execution is gone. */
    void onExecutionDeleted(WorkflowExecutionResource resource) {
        Optional<Target> target = Optional.ofNullable(resource.getSpec())
                .flatMap(spec -> Optional.ofNullable(spec.get("targetResource")))
                .flatMap(written -> Target.tryParse(written.toString()));
        enqueue(
                new ExecutionRef(
                        resource.getMetadata().getNamespace(),
                        resource.getMetadata().getName(),
                        resource.getMetadata().getUid()),
                target);
    }

    /** The entry of a target is gone: because it was idle, or because somebody deleted it. */
    void onTargetDeleted(RemediationTargetResource resource) {
        if (active) {
            decodeHeld(resource).ifPresent(was -> restoreEntry(was, Duration.ZERO));
        }
    }

    private static Optional<Held> decodeHeld(RemediationTargetResource resource) {
        try {
            return LedgerEntryCodec.read(resource).value() instanceof Held held ? Optional.of(held) : Optional.empty();
        } catch (IllegalArgumentException unreadable) {
            return Optional.empty();
        }
    }

    private void restoreEntry(Held was, Duration wait) {
        String key = was.target().objectName();
        submit(wait, () -> {
            try {
                engine.restoreRemovedEntry(was, clock.instant());
                retryDelays.reset(key);
                failureLog.recordSuccess();
            } catch (RuntimeException trouble) {
                failureLog.recordFailure(key, trouble);
                restoreEntry(was, retryDelays.nextFailureDelay(key));
            }
        });
    }

    /** A run is there, or has changed. */
    void onRunChanged(HasMetadata run) {
        ownerOf(run)
                .filter(owner -> !executionExists(owner))
                .ifPresent(owner -> enqueue(
                        owner,
                        RunLabels.annotation(run, RunLabels.TARGET_RESOURCE).flatMap(Target::tryParse)));
    }

    private static Optional<ExecutionRef> ownerOf(HasMetadata run) {
        Optional<String> uid = Optional.ofNullable(run.getMetadata().getLabels())
                .flatMap(labels -> Optional.ofNullable(labels.get(RunLabels.EXECUTION_UID)));
        return RunLabels.annotation(run, RunLabels.EXECUTION_NAME)
                .flatMap(name -> RunLabels.annotation(run, RunLabels.EXECUTION_NAMESPACE)
                        .flatMap(namespace -> uid.map(given -> new ExecutionRef(namespace, name, given))));
    }

    private boolean executionExists(ExecutionRef owner) {
        return executions
                .get(owner.namespace(), owner.name())
                .filter(found -> owner.hasUid(found.getMetadata().getUid()))
                .isPresent();
    }

    private void enqueue(ExecutionRef gone, Optional<Target> target) {
        if (active && queuedUids.add(gone.uid())) {
            schedule(gone, target, Duration.ZERO);
        }
    }

    private void schedule(ExecutionRef gone, Optional<Target> target, Duration wait) {
        if (!submit(wait, () -> process(gone, target))) {
            queuedUids.remove(gone.uid());
        }
    }

    /** Returns whether it will: the next one to lead finds what is left over by its run, or by its target. */
    private boolean submit(Duration wait, Runnable work) {
        try {
            var unused = worker.schedule(work, wait.toNanos(), TimeUnit.NANOSECONDS);
            return true;
        } catch (RejectedExecutionException stopping) {
            return false;
        }
    }

    private void process(ExecutionRef gone, Optional<Target> target) {
        // First: what happens from now on may need another look.
        queuedUids.remove(gone.uid());
        try {
            // The view may be behind; what is there is nobody's to clean up after.
            if (store.readExecution(gone).isEmpty() && cleanUp(gone, target) == Requeue.IMMEDIATELY) {
                requeue(gone, target, retryDelays.nextConflictDelay(gone.uid()));
                return;
            }
            retryDelays.reset(gone.uid());
            failureLog.recordSuccess();
        } catch (RuntimeException trouble) {
            failureLog.recordFailure(gone.toString(), trouble);
            requeue(gone, target, retryDelays.nextFailureDelay(gone.uid()));
        }
    }

    private void requeue(ExecutionRef gone, Optional<Target> target, Duration wait) {
        if (queuedUids.add(gone.uid())) {
            schedule(gone, target, wait);
        }
    }

    private Requeue cleanUp(ExecutionRef gone, Optional<Target> target) {
        Requeue next = target.map(on -> engine.cleanUpDeleted(gone, on, clock.instant()))
                .orElse(Requeue.NEVER);
        if (next != Requeue.NEVER) {
            return next;
        }
        // What is going on is not forgotten: its end brings us here again.
        runnerService.deleteRunData(gone);
        boolean forgotten =
                target.map(on -> ledgerReset.forget(gone, on, clock.instant())).orElse(true);
        return forgotten ? Requeue.NEVER : Requeue.IMMEDIATELY;
    }

    @Override
    public void close() {
        worker.shutdownNow();
    }
}
