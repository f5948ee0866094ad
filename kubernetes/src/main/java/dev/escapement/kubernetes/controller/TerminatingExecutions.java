package dev.escapement.kubernetes.controller;

import dev.escapement.kubernetes.cache.ResourceCache;
import dev.escapement.kubernetes.resource.WorkflowExecutionResource;
import dev.escapement.kubernetes.run.RunLabels;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries on executions that somebody has deleted and somebody else's finalizer keeps: they have to be stopped, and
 * their targets freed. The framework shows nothing of the kind to a reconciler without a finalizer of its own, unless
 * it is to hear of every deletion too; and then it loses the first event of what is made again under the name of
 * something that was just deleted.
 */
final class TerminatingExecutions implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(TerminatingExecutions.class);

    private final ResourceCache<WorkflowExecutionResource> executions;
    private final Function<ResourceID, Optional<Duration>> reconciler;
    private final Set<ResourceID> queuedIds = ConcurrentHashMap.newKeySet();
    private final ScheduledThreadPoolExecutor worker;
    private volatile boolean active;

    /** @param look carries an execution on, and says how long until the next look, if there has to be one */
    TerminatingExecutions(
            ResourceCache<WorkflowExecutionResource> executions, Function<ResourceID, Optional<Duration>> look) {
        this.executions = executions;
        this.reconciler = look;
        this.worker = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "leaving");
            thread.setDaemon(true);
            return thread;
        });
        worker.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /** Begins to work; before, it hears nothing. */
    void start() {
        active = true;
        executions.all().forEach(this::onExecutionChanged);
    }

    /** An execution is there, or has changed. */
    void onExecutionChanged(WorkflowExecutionResource resource) {
        if (resource.isMarkedForDeletion()) {
            enqueue(ResourceID.fromResource(resource), Duration.ZERO);
        }
    }

    /** A run is there, or has changed. */
    void onRunChanged(HasMetadata run) {
        RunLabels.annotation(run, RunLabels.EXECUTION_NAME)
                .flatMap(name -> RunLabels.annotation(run, RunLabels.EXECUTION_NAMESPACE)
                        .flatMap(namespace -> executions.get(namespace, name)))
                .ifPresent(this::onExecutionChanged);
    }

    private void enqueue(ResourceID id, Duration wait) {
        if (active && queuedIds.add(id)) {
            try {
                var unused = worker.schedule(() -> process(id), wait.toNanos(), TimeUnit.NANOSECONDS);
            } catch (RejectedExecutionException stopping) {
                LOG.debug("the next replica to lead sees {} too", id);
            }
        }
    }

    private void process(ResourceID id) {
        // First: what happens from now on may need another look.
        queuedIds.remove(id);
        reconciler.apply(id).ifPresent(wait -> enqueue(id, wait));
    }

    @Override
    public void close() {
        worker.shutdownNow();
    }
}
