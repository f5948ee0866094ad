package dev.escapement.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.cluster.testing.ClusterExtension;
import dev.escapement.cluster.testing.TestCluster;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.dsl.PodResource;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Start, restart and end. */
@ExtendWith(ClusterExtension.class)
class ClusterLifeTest {

    @Test
    void aSecondClusterStartsBesideTheFirstAndLeavesNothingBehind(TestCluster first) {
        List<ProcessHandle> before = children();
        Path folder;
        try (Cluster second = Cluster.start(ClusterSettings.standard())) {
            folder = second.folder();
            assertThat(second.apiAddress()).isNotEqualTo(first.cluster().apiAddress());
            assertThat(second.admin().namespaces().withName("default").get()).isNotNull();
            assertThat(children()).hasSizeGreaterThan(before.size());
        }
        assertThat(folder).doesNotExist();
        Waiting.until(() -> children().size() <= before.size(), Duration.ofSeconds(60), () -> "left: " + children());
        assertThat(first.admin().namespaces().withName("default").get()).isNotNull();
    }

    @Test
    void theApiServerComesBackAtTheSamePlaceWithAllThatItKnew(TestCluster shared) {
        String namespace = shared.freshNamespace("restart");
        shared.admin()
                .resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName("kept")
                        .withNamespace(namespace)
                        .endMetadata()
                        .build())
                .create();
        String address = shared.cluster().apiAddress();

        shared.cluster().restartApiServer();

        assertThat(shared.cluster().apiAddress()).isEqualTo(address);
        assertThat(shared.admin()
                        .configMaps()
                        .inNamespace(namespace)
                        .withName("kept")
                        .get())
                .isNotNull();
    }

    @Test
    void podsGoOnAfterTheApiServerWasAway(TestCluster shared) {
        PodResource pod = TestPods.create(shared, shared.freshNamespace("away"), "wait");
        shared.await(pod, each -> "Running".equals(each.getStatus().getPhase()));

        shared.cluster().restartApiServer();
        TestPods.end(pod, "succeed");

        assertThat(shared.await(pod, each -> "Succeeded".equals(each.getStatus().getPhase())))
                .isNotNull();
    }

    @Test
    void withoutProgramsItSaysHowToGetThem(@TempDir Path empty) {
        ClusterSettings settings = ClusterSettings.standard().withBinaries(new Binaries(empty));

        assertThatThrownBy(() -> Cluster.start(settings))
                .isInstanceOf(ClusterException.class)
                .hasMessageContaining("dev/cluster build")
                .hasMessageContaining(empty.toString())
                .hasMessageContaining("kube-apiserver");
    }

    @Test
    void aProgramThatEndsAtOnceIsNamedWithItsLog(@TempDir Path folder) throws Exception {
        Path script = Files.writeString(folder.resolve("broken"), "#!/bin/sh\necho no luck\nexit 3\n");
        assertThat(script.toFile().setExecutable(true)).isTrue();
        try (Child child = Child.start("broken", List.of(script.toString()), Map.of(), folder)) {
            assertThatThrownBy(() -> Waiting.until(
                            () -> {
                                child.checkAlive();
                                return false;
                            },
                            Duration.ofSeconds(60),
                            () -> "still alive"))
                    .isInstanceOf(ClusterException.class)
                    .hasMessageContaining("exit code 3")
                    .hasMessageContaining("no luck")
                    .hasMessageContaining("broken.log");
        }
    }

    private static List<ProcessHandle> children() {
        return ProcessHandle.current()
                .descendants()
                .filter(ProcessHandle::isAlive)
                .toList();
    }
}
