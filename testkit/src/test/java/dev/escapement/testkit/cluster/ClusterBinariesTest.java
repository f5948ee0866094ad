package dev.escapement.testkit.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClusterBinariesTest {

    private static final Path HOME = Path.of("/home/somebody");

    @Test
    void prefersFolderFromEnvironment() {
        assertThat(ClusterBinaries.fromEnvironment(
                                Map.of("ESCAPEMENT_CLUSTER_BIN", "/opt/bin", "XDG_CACHE_HOME", "/cache"), HOME)
                        .folder())
                .isEqualTo(Path.of("/opt/bin"));
    }

    @Test
    void defaultsToCacheFolderNamedByVersions() {
        String key = ClusterVersions.pinned().directoryName();
        assertThat(ClusterBinaries.fromEnvironment(Map.of("XDG_CACHE_HOME", "/cache"), HOME)
                        .folder())
                .isEqualTo(Path.of("/cache/escapement/cluster").resolve(key));
        assertThat(ClusterBinaries.fromEnvironment(Map.of("ESCAPEMENT_CLUSTER_BIN", " "), HOME)
                        .folder())
                .isEqualTo(HOME.resolve(".cache/escapement/cluster").resolve(key));
    }

    /** The build reads the go.mod files: different versions would put programs into the wrong folder. */
    @Test
    void goModulesPinSameVersions() throws IOException {
        ClusterVersions pinned = ClusterVersions.pinned();
        assertThat(readGoMod("etcd")).contains("go.etcd.io/etcd/server/v3 " + pinned.etcd() + "\n");
        assertThat(readGoMod("kubernetes"))
                .contains("k8s.io/kubernetes " + pinned.kubernetes() + "\n")
                .contains("k8s.io/apiserver => k8s.io/apiserver "
                        + pinned.kubernetes().replaceFirst("^v1\\.", "v0.") + "\n");
        assertThat(readGoMod("tekton")).contains("github.com/tektoncd/pipeline " + pinned.tekton() + "\n");
    }

    private static String readGoMod(String name) throws IOException {
        return Files.readString(Path.of("..", "dev", "cluster.d", name, "go.mod"));
    }
}
