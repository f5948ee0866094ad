package dev.escapement.kubernetes.run.job;

import dev.escapement.kubernetes.run.JsonPatch;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The pod of a Job that waits for what does not come by itself.
 *
 * @param job its name
 * @param uid of the Job
 * @param reason the kubelet's word for it
 */
public record StuckPod(String namespace, String job, String uid, String reason) {

    /** The annotation of a Job that was given up, with the reason. */
    static final String GIVEN_UP_ANNOTATION = "kubernaut.ai/given-up";

    /** No name of an image: time does not make it one. */
    private static final String INVALID_IMAGE_NAME = "InvalidImageName";

    private static final Set<String> STUCK_REASONS = Set.of(
            "ErrImagePull", "ImagePullBackOff", "ErrImageNeverPull", "CreateContainerConfigError", INVALID_IMAGE_NAME);

    /** What a pod waits for; empty if it is none of a Job, is going already, or gets on. */
    public static Optional<StuckPod> of(Pod pod) {
        if (pod.getMetadata().getDeletionTimestamp() != null) {
            return Optional.empty();
        }
        Optional<OwnerReference> job = pod.getMetadata().getOwnerReferences().stream()
                .filter(owner -> owner.getKind().equals("Job"))
                .findFirst();
        return job.flatMap(owner -> reason(pod)
                .map(reason ->
                        new StuckPod(pod.getMetadata().getNamespace(), owner.getName(), owner.getUid(), reason)));
    }

    /** Of the container of the workflow: if another one waits, the workflow may run all the same. */
    private static Optional<String> reason(Pod pod) {
        return Optional.ofNullable(pod.getStatus()).map(PodStatus::getContainerStatuses).orElse(List.of()).stream()
                .filter(container -> container.getName().equals(JobTemplate.CONTAINER_NAME))
                .map(ContainerStatus::getState)
                .flatMap(state -> Optional.ofNullable(state).map(ContainerState::getWaiting).stream())
                .flatMap(waiting -> Optional.ofNullable(waiting.getReason()).stream())
                .filter(STUCK_REASONS::contains)
                .findFirst();
    }

    /** Whether there is nothing to wait for. */
    public boolean isPermanent() {
        return reason.equals(INVALID_IMAGE_NAME);
    }

    /** Ends the Job, as if its time were up: why nothing of it ran is then read from the pod. */
    public void terminateJob(KubernetesClient client) {
        // The client would read first what it was not given; the patch says itself which Job it is for.
        Job named = new JobBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(job)
                .endMetadata()
                .build();
        client.resource(named)
                .patch(
                        PatchContext.of(PatchType.JSON),
                        JobKind.expireDeadline(JsonPatch.of(uid))
                                .annotate(GIVEN_UP_ANNOTATION, reason)
                                .toJson());
    }
}
