package dev.escapement.testkit.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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

/** Start, restart and stop of a cluster. */
@ExtendWith(ClusterExtension.class)
class LocalClusterIT {

    @Test
    void secondClusterRunsBesideFirstAndCleansUp(TestCluster first) {
        List<ProcessHandle> before = liveDescendants();
        Path folder;
        try (LocalCluster second = LocalCluster.start(LocalClusterOptions.defaults())) {
            folder = second.directory();
            assertThat(second.apiAddress()).isNotEqualTo(first.cluster().apiAddress());
            assertThat(second.admin().namespaces().withName("default").get()).isNotNull();
            assertThat(liveDescendants()).hasSizeGreaterThan(before.size());
        }
        assertThat(folder).doesNotExist();
        ClusterPoller.waitUntil(
                () -> liveDescendants().size() <= before.size(),
                Duration.ofSeconds(60),
                () -> "left: " + liveDescendants());
        assertThat(first.admin().namespaces().withName("default").get()).isNotNull();
    }

    @Test
    void restartedApiServerKeepsAddressAndData(TestCluster shared) {
        String namespace = shared.createNamespace("restart");
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
    void podsContinueAfterApiServerRestart(TestCluster shared) {
        PodResource pod = TestPods.create(shared, shared.createNamespace("away"), "wait");
        shared.await(pod, each -> "Running".equals(each.getStatus().getPhase()));

        shared.cluster().restartApiServer();
        TestPods.requestExit(pod, "succeed");

        assertThat(shared.await(pod, each -> "Succeeded".equals(each.getStatus().getPhase())))
                .isNotNull();
    }

    @Test
    void missingBinariesErrorNamesBuildCommand(@TempDir Path empty) {
        LocalClusterOptions settings = LocalClusterOptions.defaults().withBinaries(new ClusterBinaries(empty));

        assertThatThrownBy(() -> LocalCluster.start(settings))
                .isInstanceOf(ClusterException.class)
                .hasMessageContaining("dev/cluster build")
                .hasMessageContaining(empty.toString())
                .hasMessageContaining("kube-apiserver");
    }

    @Test
    void errorNamesExitedProgramAndItsLog(@TempDir Path folder) throws Exception {
        Path script = Files.writeString(folder.resolve("broken"), "#!/bin/sh\necho no luck\nexit 3\n");
        assertThat(script.toFile().setExecutable(true)).isTrue();
        try (ManagedProcess child = ManagedProcess.start("broken", List.of(script.toString()), Map.of(), folder)) {
            assertThatThrownBy(() -> ClusterPoller.waitUntil(
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

    private static List<ProcessHandle> liveDescendants() {
        return ProcessHandle.current()
                .descendants()
                .filter(ProcessHandle::isAlive)
                .toList();
    }
}
