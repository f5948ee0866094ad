package dev.escapement.kubernetes.operator;

import dev.escapement.engine.Engine;
import dev.escapement.engine.Requeue;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.port.RunnerService;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import dev.escapement.kubernetes.Troubles;
import dev.escapement.kubernetes.resource.EntryCodec;
import dev.escapement.kubernetes.resource.RemediationTarget;
import dev.escapement.kubernetes.resource.WorkflowExecution;
import dev.escapement.kubernetes.run.RunLabels;
import dev.escapement.kubernetes.store.View;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Cleans up after deletions. Of executions: frees their targets, removes what they prepared, and forgets their ended
 * runs. It hears of deletions, and of runs that belong to nobody: those are all that is left of a deletion that nobody
 * watched. Of entries: puts back what somebody deleted while an execution holds it.
 */
final class Cleanup implements AutoCloseable {

    private final View<WorkflowExecution> executions;
    private final ExecutionStore store;
    private final Engine engine;
    private final RunnerService runs;
    private final Forgetting forgetting;
    private final InstantSource clock;
    private final Attempts attempts = new Attempts();
    private final Troubles troubles = new Troubles("cleaning up after deletions");
    private final Set<String> waiting = ConcurrentHashMap.newKeySet();
    private final ScheduledThreadPoolExecutor worker;
    private volatile boolean active;

    Cleanup(
            View<WorkflowExecution> executions,
            ExecutionStore store,
            Engine engine,
            RunnerService runs,
            Forgetting forgetting,
            InstantSource clock) {
        this.forgetting = forgetting;
        this.executions = executions;
        this.store = store;
        this.engine = engine;
        this.runs = runs;
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
    void deleted(WorkflowExecution resource) {
        Optional<Target> target = Optional.ofNullable(resource.getSpec())
                .flatMap(spec -> Optional.ofNullable(spec.get("targetResource")))
                .flatMap(written -> Target.tryParse(written.toString()));
        add(
                new ExecutionRef(
                        resource.getMetadata().getNamespace(),
                        resource.getMetadata().getName(),
                        resource.getMetadata().getUid()),
                target);
    }

    /** The entry of a target is gone: because it was idle, or because somebody deleted it. */
    void removed(RemediationTarget resource) {
        if (active) {
            held(resource).ifPresent(was -> restore(was, Duration.ZERO));
        }
    }

    private static Optional<Held> held(RemediationTarget resource) {
        try {
            return EntryCodec.read(resource).value() instanceof Held held ? Optional.of(held) : Optional.empty();
        } catch (IllegalArgumentException unreadable) {
            return Optional.empty();
        }
    }

    private void restore(Held was, Duration wait) {
        String key = was.target().objectName();
        later(wait, () -> {
            try {
                engine.restoreRemovedEntry(was, clock.instant());
                attempts.done(key);
                troubles.worked();
            } catch (RuntimeException trouble) {
                troubles.failed(key, trouble);
                restore(was, attempts.failed(key));
            }
        });
    }

    /** A run is there, or has changed. */
    void seen(HasMetadata run) {
        owner(run)
                .filter(owner -> !isThere(owner))
                .ifPresent(owner -> add(
                        owner,
                        RunLabels.annotation(run, RunLabels.TARGET_RESOURCE).flatMap(Target::tryParse)));
    }

    private static Optional<ExecutionRef> owner(HasMetadata run) {
        Optional<String> uid = Optional.ofNullable(run.getMetadata().getLabels())
                .flatMap(labels -> Optional.ofNullable(labels.get(RunLabels.EXECUTION_UID)));
        return RunLabels.annotation(run, RunLabels.EXECUTION_NAME)
                .flatMap(name -> RunLabels.annotation(run, RunLabels.EXECUTION_NAMESPACE)
                        .flatMap(namespace -> uid.map(given -> new ExecutionRef(namespace, name, given))));
    }

    private boolean isThere(ExecutionRef owner) {
        return executions
                .get(owner.namespace(), owner.name())
                .filter(found -> owner.hasUid(found.getMetadata().getUid()))
                .isPresent();
    }

    private void add(ExecutionRef gone, Optional<Target> target) {
        if (active && waiting.add(gone.uid())) {
            schedule(gone, target, Duration.ZERO);
        }
    }

    private void schedule(ExecutionRef gone, Optional<Target> target, Duration wait) {
        if (!later(wait, () -> look(gone, target))) {
            waiting.remove(gone.uid());
        }
    }

    /** Returns whether it will: the next one to lead finds what is left over by its run, or by its target. */
    private boolean later(Duration wait, Runnable work) {
        try {
            var unused = worker.schedule(work, wait.toNanos(), TimeUnit.NANOSECONDS);
            return true;
        } catch (RejectedExecutionException stopping) {
            return false;
        }
    }

    private void look(ExecutionRef gone, Optional<Target> target) {
        // First: what happens from now on may need another look.
        waiting.remove(gone.uid());
        try {
            // The view may be behind; what is there is nobody's to clean up after.
            if (store.readExecution(gone).isEmpty() && cleanUp(gone, target) == Requeue.IMMEDIATELY) {
                again(gone, target, attempts.again(gone.uid()));
                return;
            }
            attempts.done(gone.uid());
            troubles.worked();
        } catch (RuntimeException trouble) {
            troubles.failed(gone.toString(), trouble);
            again(gone, target, attempts.failed(gone.uid()));
        }
    }

    private void again(ExecutionRef gone, Optional<Target> target, Duration wait) {
        if (waiting.add(gone.uid())) {
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
        runs.deleteRunData(gone);
        boolean forgotten =
                target.map(on -> forgetting.forget(gone, on, clock.instant())).orElse(true);
        return forgotten ? Requeue.NEVER : Requeue.IMMEDIATELY;
    }

    @Override
    public void close() {
        worker.shutdownNow();
    }
}
