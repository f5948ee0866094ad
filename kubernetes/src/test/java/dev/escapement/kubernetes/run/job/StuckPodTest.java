package dev.escapement.kubernetes.run.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which pods wait in vain. */
class StuckPodTest {

    private static PodBuilder pod(String owner, String container, String reason) {
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

    private static Pod waiting(String reason) {
        return pod("Job", JobTemplate.CONTAINER, reason).build();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ErrImagePull", "ImagePullBackOff", "ErrImageNeverPull", "CreateContainerConfigError"})
    void thesePodsMayGetOnAfterAll(String reason) {
        assertThat(StuckPod.of(waiting(reason)))
                .hasValueSatisfying(stuck -> assertThat(stuck.isHopeless()).isFalse());
    }

    @Test
    void aNameThatIsNoneWillNeverBeOne() {
        assertThat(StuckPod.of(waiting("InvalidImageName")))
                .hasValueSatisfying(stuck -> assertThat(stuck.isHopeless()).isTrue());
    }

    @Test
    void itNamesTheJob() {
        assertThat(StuckPod.of(waiting("ErrImagePull")))
                .contains(new StuckPod("runs", "repair", "u-1", "ErrImagePull"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ContainerCreating", "PodInitializing", "CrashLoopBackOff"})
    void thesePodsGetOnOrHaveRun(String reason) {
        assertThat(StuckPod.of(waiting(reason))).isEmpty();
    }

    @Test
    void aPodThatSaysNothingIsNotStuck() {
        Pod silent = waiting("ErrImagePull").edit().withStatus(null).build();

        assertThat(StuckPod.of(silent)).isEmpty();
    }

    @Test
    void aPodThatLeavesIsNotStuck() {
        Pod leaving = waiting("ErrImagePull")
                .edit()
                .editMetadata()
                .withDeletionTimestamp("2026-11-15T12:00:00Z")
                .endMetadata()
                .build();

        assertThat(StuckPod.of(leaving)).isEmpty();
    }

    /** Tekton looks after its own. */
    @Test
    void aPodOfSomebodyElseIsNotOurs() {
        assertThat(StuckPod.of(
                        pod("TaskRun", JobTemplate.CONTAINER, "ErrImagePull").build()))
                .isEmpty();
    }

    /** What a mesh adds may be stuck while the workflow runs. */
    @Test
    void anotherContainerDoesNotCount() {
        assertThat(StuckPod.of(pod("Job", "mesh-proxy", "ErrImagePull").build()))
                .isEmpty();
    }
}
