package dev.escapement.kubernetes.controller;

import dev.escapement.common.FailureLog;
import dev.escapement.governor.failure.HttpStatusClassifier;
import dev.escapement.kubernetes.run.job.StuckPod;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives up Jobs whose pod cannot start. Tekton ends such a run by itself; a Job would wait for an image that there is
 * not until its time is up, an hour if nobody said otherwise, and hold its target meanwhile. It is woken by the pods
 * and by the end of its patience, and asks for nothing.
 */
final class StuckJobTerminator implements ResourceEventHandler<HasMetadata>, AutoCloseable {

    /** A registry may be away for a moment: a kubelet has tried four times by then. */
    static final Duration STUCK_TIMEOUT = Duration.ofMinutes(2);

    private static final Logger LOG = LoggerFactory.getLogger(StuckJobTerminator.class);

    private final KubernetesClient client;
    private final Duration stuckTimeout;
    private final RetryDelays retryDelays = new RetryDelays();
    private final FailureLog failureLog =
            new FailureLog(LOG, "Removing Jobs that cannot start", FailureLog.RECOVERY_PERIOD);
    private final Map<String, StuckPod> stuckPods = new ConcurrentHashMap<>();
    private final ScheduledThreadPoolExecutor worker;
    private volatile boolean active;

    /** @param patience how long a pod may be stuck, since it was first seen to be */
    StuckJobTerminator(KubernetesClient client, Duration patience) {
        this.client = client;
        this.stuckTimeout = patience;
        this.worker = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "stuck-jobs");
            thread.setDaemon(true);
            return thread;
        });
        worker.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /** Begins to work; before, it only listens. */
    void start() {
        active = true;
        stuckPods.forEach(this::schedule);
    }

    @Override
    public void onAdd(HasMetadata pod) {
        onPodChanged(pod);
    }

    @Override
    public void onUpdate(HasMetadata old, HasMetadata pod) {
        onPodChanged(pod);
    }

    @Override
    public void onDelete(HasMetadata pod, boolean finalStateUnknown) {
        forget(pod.getMetadata().getUid());
    }

    private void onPodChanged(HasMetadata object) {
        String uid = object.getMetadata().getUid();
        Optional<StuckPod> found = object instanceof Pod pod ? StuckPod.of(pod) : Optional.empty();
        if (found.isEmpty()) {
            forget(uid);
            return;
        }
        Optional<StuckPod> before = Optional.ofNullable(stuckPods.put(uid, found.get()));
        if (before.filter(known -> known.isPermanent() == found.get().isPermanent())
                .isEmpty()) {
            schedule(uid, found.get());
        }
    }

    private void forget(String uid) {
        stuckPods.remove(uid);
        retryDelays.reset(uid);
    }

    private void schedule(String uid, StuckPod pod) {
        if (active) {
            schedule(uid, pod.isPermanent() ? Duration.ZERO : stuckTimeout);
        }
    }

    private void schedule(String uid, Duration wait) {
        try {
            var unused = worker.schedule(() -> terminate(uid), wait.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException stopping) {
            LOG.debug("the next replica to lead sees pod {} too", uid);
        }
    }

    private void terminate(String uid) {
        StuckPod pod = stuckPods.get(uid);
        if (pod == null) {
            return;
        }
        try {
            pod.terminateJob(client);
            LOG.info("Job {}/{} cannot start and is given up: {}", pod.namespace(), pod.job(), pod.reason());
            failureLog.recordSuccess();
            // It stays known, so that whatever its pod says before it goes does not end the Job a second time.
            retryDelays.reset(uid);
        } catch (RuntimeException failure) {
            if (isPermanentRefusal(failure)) {
                // It is another Job by now, or none, or not ours to end: then its own time ends it.
                LOG.info("Job {}/{} cannot be given up: {}", pod.namespace(), pod.job(), failure.getMessage());
                forget(uid);
            } else {
                failureLog.recordFailure(pod.job(), failure);
                schedule(uid, retryDelays.nextFailureDelay(uid));
            }
        }
    }

    private static boolean isPermanentRefusal(RuntimeException failure) {
        return failure instanceof KubernetesClientException refused
                && !HttpStatusClassifier.isTransient(refused.getCode());
    }

    @Override
    public void close() {
        worker.shutdownNow();
    }
}
