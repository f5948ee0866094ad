package dev.escapement.kubernetes.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.kubernetes.controller.StuckJobTerminator.StuckPod;
import dev.escapement.kubernetes.run.job.JobTemplate;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StuckPodTest {

    private static PodBuilder podWaiting(String owner, String container, String reason) {
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace("runs")
                .withName("p")
                .addNewOwnerReference()
                .withKind(owner)
                .withName("repair")
                .withUid("u-1")
                .endOwnerReference()
                .endMetadata()
                .withNewStatus()
                .addNewContainerStatus()
                .withName(container)
                .withNewState()
                .withNewWaiting()
                .withReason(reason)
                .endWaiting()
                .endState()
                .endContainerStatus()
                .endStatus();
    }

    private static Pod jobPodWaiting(String reason) {
        return podWaiting("Job", JobTemplate.CONTAINER_NAME, reason).build();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ErrImagePull", "ImagePullBackOff", "ErrImageNeverPull", "CreateContainerConfigError"})
    void isStuckButNotPermanently(String reason) {
        assertThat(StuckPod.of(jobPodWaiting(reason)))
                .hasValueSatisfying(stuck -> assertThat(stuck.isPermanent()).isFalse());
    }

    @Test
    void invalidImageNameIsPermanent() {
        assertThat(StuckPod.of(jobPodWaiting("InvalidImageName")))
                .hasValueSatisfying(stuck -> assertThat(stuck.isPermanent()).isTrue());
    }

    @Test
    void namesOwningJob() {
        assertThat(StuckPod.of(jobPodWaiting("ErrImagePull")))
                .contains(new StuckPod("runs", "repair", "u-1", "ErrImagePull"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ContainerCreating", "PodInitializing", "CrashLoopBackOff"})
    void isNotStuck(String reason) {
        assertThat(StuckPod.of(jobPodWaiting(reason))).isEmpty();
    }

    @Test
    void podWithoutStatusIsNotStuck() {
        Pod withoutStatus =
                jobPodWaiting("ErrImagePull").edit().withStatus(null).build();

        assertThat(StuckPod.of(withoutStatus)).isEmpty();
    }

    @Test
    void terminatingPodIsNotStuck() {
        Pod terminating = jobPodWaiting("ErrImagePull")
                .edit()
                .editMetadata()
                .withDeletionTimestamp("2026-11-15T12:00:00Z")
                .endMetadata()
                .build();

        assertThat(StuckPod.of(terminating)).isEmpty();
    }

    /** Tekton ends its stuck pods itself. */
    @Test
    void ignoresPodNotOwnedByJob() {
        assertThat(StuckPod.of(podWaiting("TaskRun", JobTemplate.CONTAINER_NAME, "ErrImagePull")
                        .build()))
                .isEmpty();
    }

    /** The container of a service mesh may be stuck while the workflow runs. */
    @Test
    void ignoresOtherContainers() {
        assertThat(StuckPod.of(podWaiting("Job", "mesh-proxy", "ErrImagePull").build()))
                .isEmpty();
    }
}
