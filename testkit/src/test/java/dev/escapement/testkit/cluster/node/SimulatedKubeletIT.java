package dev.escapement.testkit.cluster.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.testkit.cluster.ClusterExtension;
import dev.escapement.testkit.cluster.ClusterPoller;
import dev.escapement.testkit.cluster.TestCluster;
import dev.escapement.testkit.cluster.TestPods;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.client.dsl.PodResource;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The image name selects what happens. */
@ExtendWith(ClusterExtension.class)
class SimulatedKubeletIT {

    private final TestCluster cluster;
    private final String namespace;

    SimulatedKubeletIT(TestCluster cluster) {
        this.cluster = cluster;
        this.namespace = cluster.createNamespace("kubelet");
    }

    @ParameterizedTest
    @CsvSource({
        "succeed, Succeeded, 0, Completed",
        "exit:3, Failed, 3, Error",
        "oom, Failed, 137, OOMKilled",
    })
    void containerExitsAsImageNameSays(String image, String phase, int exitCode, String reason) {
        Pod pod = cluster.await(
                createPod(image), each -> phase.equals(each.getStatus().getPhase()));

        assertThat(pod.getSpec().getNodeName()).isEqualTo(SimulatedKubelet.NODE_NAME);
        ContainerState state = containerState(pod);
        assertThat(state.getTerminated().getExitCode()).isEqualTo(exitCode);
        assertThat(state.getTerminated().getReason()).isEqualTo(reason);
        assertThat(state.getTerminated().getFinishedAt()).isNotBlank();
    }

    @Test
    void containerRunsForDurationInImageTag() {
        PodResource resource = createPod("succeed:1500ms");

        cluster.await(resource, each -> "Running".equals(each.getStatus().getPhase()));
        Pod pod = cluster.await(
                resource, each -> "Succeeded".equals(each.getStatus().getPhase()));

        Instant started = Instant.parse(containerState(pod).getTerminated().getStartedAt());
        assertThat(Instant.parse(containerState(pod).getTerminated().getFinishedAt()))
                .isAfterOrEqualTo(started.plus(Duration.ofSeconds(1)));
    }

    @Test
    void unpullableImageStaysInImagePullBackOff() {
        Pod pod = cluster.await(
                createPod("pull-failure"),
                each -> each.getStatus().getContainerStatuses() != null
                        && !each.getStatus().getContainerStatuses().isEmpty()
                        && containerState(each).getWaiting() != null
                        && "ImagePullBackOff"
                                .equals(containerState(each).getWaiting().getReason()));

        assertThat(pod.getStatus().getPhase()).isEqualTo("Pending");
        assertThat(containerState(pod).getWaiting().getMessage())
                .contains("ErrImagePull", "simulated.local/pull-failure");
    }

    /** A kubelet reports a container that never started like one that it cannot find. */
    @Test
    void deletedPodWithoutContainerGetsContainerStatusUnknown() {
        PodResource resource = createPod("pull-failure");
        // Keeps the pod until the test has read it.
        setFinalizers(resource, "\"test/look\"");
        cluster.await(resource, each -> each.getSpec().getNodeName() != null);

        resource.delete();

        Pod pod =
                cluster.await(resource, each -> "Failed".equals(each.getStatus().getPhase()));
        assertThat(containerState(pod).getTerminated().getReason()).isEqualTo("ContainerStatusUnknown");
        assertThat(containerState(pod).getTerminated().getStartedAt()).isNull();
        assertThat(pod.getStatus().getContainerStatuses().get(0).getContainerID())
                .isNull();
        setFinalizers(resource, "");
    }

    private static void setFinalizers(PodResource resource, String list) {
        resource.patch(PatchContext.of(PatchType.JSON_MERGE), "{\"metadata\":{\"finalizers\":[%s]}}".formatted(list));
    }

    @Test
    void unschedulablePodStaysPending() {
        Pod pod = cluster.await(
                createPod("never-scheduled"),
                each -> each.getStatus().getConditions().stream()
                        .anyMatch(condition -> "Unschedulable".equals(condition.getReason())));

        assertThat(pod.getSpec().getNodeName()).isNull();
        assertThat(pod.getStatus().getPhase()).isEqualTo("Pending");
    }

    @Test
    void hangingContainerRunsUntilPodIsDeleted() {
        PodResource resource = createPod("hang");
        cluster.await(resource, each -> "Running".equals(each.getStatus().getPhase()));

        resource.delete();

        resource.waitUntilCondition(each -> each == null, TestCluster.TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        assertThat(resource.get()).isNull();
    }

    @Test
    void waitingContainerExitsAsAnnotationSays() {
        PodResource resource = createPod("wait");
        cluster.await(resource, each -> "Running".equals(each.getStatus().getPhase()));

        TestPods.requestExit(resource, "exit:7");

        Pod pod =
                cluster.await(resource, each -> "Failed".equals(each.getStatus().getPhase()));
        assertThat(containerState(pod).getTerminated().getExitCode()).isEqualTo(7);
    }

    @Test
    void jobCompletesWhenContainerSucceeds() {
        Job job = cluster.await(createJob("succeed"), each -> hasCondition(each, "Complete"));

        assertThat(job.getStatus().getSucceeded()).isEqualTo(1);
    }

    @Test
    void jobFailsWhenContainerFails() {
        Job job = cluster.await(createJob("exit:1"), each -> hasCondition(each, "Failed"));

        assertThat(job.getStatus().getConditions())
                .anySatisfy(condition -> assertThat(condition.getReason()).isEqualTo("BackoffLimitExceeded"));
    }

    @Test
    void runsManyPodsAtOnce() {
        IntStream.range(0, 100).forEach(i -> createPod("succeed"));

        ClusterPoller.waitUntil(
                () -> cluster.admin().pods().inNamespace(namespace).list().getItems().stream()
                        .allMatch(pod -> "Succeeded".equals(pod.getStatus().getPhase())),
                TestCluster.TIMEOUT,
                () -> "some pods did not end");
    }

    private PodResource createPod(String image) {
        return TestPods.create(cluster, namespace, image);
    }

    private Resource<Job> createJob(String image) {
        Job job = cluster.admin()
                .resource(new JobBuilder()
                        .withNewMetadata()
                        .withGenerateName("job-")
                        .withNamespace(namespace)
                        .endMetadata()
                        .withNewSpec()
                        .withBackoffLimit(0)
                        .withNewTemplate()
                        .withNewSpec()
                        .withRestartPolicy("Never")
                        .addNewContainer()
                        .withName("main")
                        .withImage("simulated.local/" + image)
                        .endContainer()
                        .endSpec()
                        .endTemplate()
                        .endSpec()
                        .build())
                .create();
        return cluster.admin()
                .batch()
                .v1()
                .jobs()
                .inNamespace(namespace)
                .withName(job.getMetadata().getName());
    }

    private static boolean hasCondition(Job job, String condition) {
        return job.getStatus() != null
                && job.getStatus().getConditions() != null
                && job.getStatus().getConditions().stream()
                        .anyMatch(each -> each.getType().equals(condition)
                                && each.getStatus().equals("True"));
    }

    private static ContainerState containerState(Pod pod) {
        return pod.getStatus().getContainerStatuses().get(0).getState();
    }
}
