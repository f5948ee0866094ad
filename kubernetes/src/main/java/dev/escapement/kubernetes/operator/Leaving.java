package dev.escapement.kubernetes.operator;

import dev.escapement.kubernetes.resource.WorkflowExecution;
import dev.escapement.kubernetes.run.RunLabels;
import dev.escapement.kubernetes.store.View;
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
final class Leaving implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Leaving.class);

    private final View<WorkflowExecution> executions;
    private final Function<ResourceID, Optional<Duration>> look;
    private final Set<ResourceID> waiting = ConcurrentHashMap.newKeySet();
    private final ScheduledThreadPoolExecutor worker;
    private volatile boolean active;

    /** @param look carries an execution on, and says how long until the next look, if there has to be one */
    Leaving(View<WorkflowExecution> executions, Function<ResourceID, Optional<Duration>> look) {
        this.executions = executions;
        this.look = look;
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
        executions.all().forEach(this::changed);
    }

    /** An execution is there, or has changed. */
    void changed(WorkflowExecution resource) {
        if (resource.isMarkedForDeletion()) {
            add(ResourceID.fromResource(resource), Duration.ZERO);
        }
    }

    /** A run is there, or has changed. */
    void seen(HasMetadata run) {
        RunLabels.annotation(run, RunLabels.EXECUTION_NAME)
                .flatMap(name -> RunLabels.annotation(run, RunLabels.EXECUTION_NAMESPACE)
                        .flatMap(namespace -> executions.get(namespace, name)))
                .ifPresent(this::changed);
    }

    private void add(ResourceID id, Duration wait) {
        if (active && waiting.add(id)) {
            try {
                var unused = worker.schedule(() -> carryOn(id), wait.toNanos(), TimeUnit.NANOSECONDS);
            } catch (RejectedExecutionException stopping) {
                LOG.debug("the next replica to lead sees {} too", id);
            }
        }
    }

    private void carryOn(ResourceID id) {
        // First: what happens from now on may need another look.
        waiting.remove(id);
        look.apply(id).ifPresent(wait -> add(id, wait));
    }

    @Override
    public void close() {
        worker.shutdownNow();
    }
}
