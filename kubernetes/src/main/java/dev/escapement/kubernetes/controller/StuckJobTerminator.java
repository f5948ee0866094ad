package dev.escapement.kubernetes.controller;

import dev.escapement.common.WorkQueue.WorkResult;
import dev.escapement.governor.failure.HttpStatusClassifier;
import dev.escapement.kubernetes.run.ExecutorAdapter.JsonPatch;
import dev.escapement.kubernetes.run.job.JobAdapter;
import dev.escapement.kubernetes.run.job.JobTemplate;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Terminates Jobs whose pod cannot start. Tekton ends such a run by itself; a Job would wait for a missing image until
 * its deadline, one hour by default, and hold its target meanwhile. It needs no reads: the pods come from the watch.
 */
final class StuckJobTerminator implements ResourceEventHandler<HasMetadata> {

    /** A registry may be unavailable for a moment: a kubelet has tried four times by then. */
    static final Duration STUCK_TIMEOUT = Duration.ofMinutes(2);

    private static final Logger LOG = LoggerFactory.getLogger(StuckJobTerminator.class);

    /**
     * A pod of a Job that cannot start its container.
     *
     * @param job the name of the Job
     * @param uid of the Job
     * @param reason of the kubelet
     */
    record StuckPod(String namespace, String job, String uid, String reason) {

        /** The annotation, with the reason, of a Job that was terminated because its pod was stuck. */
        private static final String GIVEN_UP_ANNOTATION = "kubernaut.ai/given-up";

        /** The only reason that never goes away by itself. */
        private static final String INVALID_IMAGE = "InvalidImageName";

        private static final Set<String> STUCK_REASONS = Set.of(
                "ErrImagePull", "ImagePullBackOff", "ErrImageNeverPull", "CreateContainerConfigError", INVALID_IMAGE);

        /** Returns empty if the pod does not belong to a Job, is being deleted, or is not stuck. */
        static Optional<StuckPod> of(Pod pod) {
            var meta = pod.getMetadata();
            return meta.getOwnerReferences().stream()
                    .filter(owner -> owner.getKind().equals("Job") && meta.getDeletionTimestamp() == null)
                    .findFirst()
                    .flatMap(owner -> reason(pod)
                            .map(reason -> new StuckPod(meta.getNamespace(), owner.getName(), owner.getUid(), reason)));
        }

        /** Reads the container of the workflow only: it may run even if another container is stuck. */
        private static Optional<String> reason(Pod pod) {
            return Optional.ofNullable(pod.getStatus()).map(PodStatus::getContainerStatuses).orElse(List.of()).stream()
                    .filter(container -> container.getName().equals(JobTemplate.CONTAINER_NAME))
                    .map(ContainerStatus::getState)
                    .flatMap(state -> Optional.ofNullable(state).map(ContainerState::getWaiting).stream())
                    .flatMap(waiting -> Optional.ofNullable(waiting.getReason()).stream())
                    .filter(STUCK_REASONS::contains)
                    .findFirst();
        }

        /** Returns whether waiting cannot help. */
        boolean isPermanent() {
            return reason.equals(INVALID_IMAGE);
        }

        /** Ends the Job as past its deadline; the reason is later read from the pod. */
        void terminateJob(KubernetesClient client) {
            // An object is passed so that the client does not read it first; the patch checks the uid.
            Job named = new JobBuilder()
                    .withNewMetadata()
                    .withNamespace(namespace)
                    .withName(job)
                    .endMetadata()
                    .build();
            JsonPatch patch = JobAdapter.expireDeadline(JsonPatch.of(uid)).annotate(GIVEN_UP_ANNOTATION, reason);
            client.resource(named).patch(PatchContext.of(PatchType.JSON), patch.toJson());
        }
    }

    /** @param settled whether its Job was terminated, or cannot be */
    private record StuckSince(StuckPod pod, long since, boolean settled) {}

    private final KubernetesClient client;
    private final Duration stuckTimeout;
    private final Consumer<OperatorTask> queue;
    private final LongSupplier ticker;
    private final Map<String, StuckSince> stuckPods = new ConcurrentHashMap<>();

    /**
     * @param stuckTimeout how long a pod may be stuck, since that was first seen
     * @param queue may drop tasks until {@link #enqueueAll}
     * @param ticker nanoseconds, such as {@link System#nanoTime}
     */
    StuckJobTerminator(
            KubernetesClient client, Duration stuckTimeout, Consumer<OperatorTask> queue, LongSupplier ticker) {
        this.client = client;
        this.stuckTimeout = stuckTimeout;
        this.queue = queue;
        this.ticker = ticker;
    }

    void enqueueAll() {
        stuckPods.keySet().forEach(this::enqueue);
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
        stuckPods.remove(pod.getMetadata().getUid());
    }

    private void onPodChanged(HasMetadata object) {
        String uid = object.getMetadata().getUid();
        Optional<StuckPod> found = object instanceof Pod pod ? StuckPod.of(pod) : Optional.empty();
        if (found.isEmpty()) {
            stuckPods.remove(uid);
            return;
        }
        stuckPods.merge(
                uid,
                new StuckSince(found.get(), ticker.getAsLong(), false),
                (known, next) -> new StuckSince(next.pod(), known.since(), known.settled()));
        enqueue(uid);
    }

    private void enqueue(String podUid) {
        queue.accept(new OperatorTask("stuck pod, uid " + podUid, () -> terminateIfDue(podUid)));
    }

    private WorkResult terminateIfDue(String podUid) {
        Optional<StuckSince> stuck = Optional.ofNullable(stuckPods.get(podUid)).filter(known -> !known.settled());
        if (stuck.isEmpty()) {
            return WorkResult.DONE;
        }
        Duration left = stuckTimeout.minusNanos(ticker.getAsLong() - stuck.get().since());
        if (left.compareTo(Duration.ZERO) > 0 && !stuck.get().pod().isPermanent()) {
            return WorkResult.after(left);
        }
        terminate(stuck.get().pod());
        // It stays known: later changes of the pod must not terminate the Job a second time.
        stuckPods.computeIfPresent(podUid, (uid, known) -> new StuckSince(known.pod(), known.since(), true));
        return WorkResult.DONE;
    }

    private void terminate(StuckPod pod) {
        try {
            pod.terminateJob(client);
            LOG.info("Job {}/{} cannot start and was terminated: {}", pod.namespace(), pod.job(), pod.reason());
        } catch (KubernetesClientException refused) {
            if (HttpStatusClassifier.isTransient(refused.getCode())) {
                throw refused;
            }
            // It is another Job by now, or none, or not ours: its own deadline ends it.
            String message = "Job {}/{} cannot start and cannot be terminated, its deadline will end it: {}";
            LOG.info(message, pod.namespace(), pod.job(), refused.getMessage());
        }
    }
}
