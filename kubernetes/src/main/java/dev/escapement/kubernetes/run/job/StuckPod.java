package dev.escapement.kubernetes.run.job;

import dev.escapement.kubernetes.run.JsonPatch;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStatus;
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
 * A pod of a Job that cannot start its container.
 *
 * @param job the name of the Job
 * @param uid of the Job
 * @param reason of the kubelet
 */
public record StuckPod(String namespace, String job, String uid, String reason) {

    /** The annotation, with the reason, of a Job that was terminated because its pod was stuck. */
    static final String GIVEN_UP_ANNOTATION = "kubernaut.ai/given-up";

    /** The only reason that never goes away by itself. */
    private static final String INVALID_IMAGE_NAME = "InvalidImageName";

    private static final Set<String> STUCK_REASONS = Set.of(
            "ErrImagePull", "ImagePullBackOff", "ErrImageNeverPull", "CreateContainerConfigError", INVALID_IMAGE_NAME);

    /** Returns empty if the pod does not belong to a Job, is being deleted, or is not stuck. */
    public static Optional<StuckPod> of(Pod pod) {
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
    public boolean isPermanent() {
        return reason.equals(INVALID_IMAGE_NAME);
    }

    /** Ends the Job as past its deadline; the reason is later read from the pod. */
    public void terminateJob(KubernetesClient client) {
        // An object is passed so that the client does not read it first; the patch checks the uid.
        Job named = new JobBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(job)
                .endMetadata()
                .build();
        JsonPatch patch = JobKind.expireDeadline(JsonPatch.of(uid)).annotate(GIVEN_UP_ANNOTATION, reason);
        client.resource(named).patch(PatchContext.of(PatchType.JSON), patch.toJson());
    }
}
