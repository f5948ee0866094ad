package dev.escapement.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BinariesTest {

    private static final Path HOME = Path.of("/home/somebody");

    @Test
    void theFolderOfTheEnvironmentComesFirst() {
        assertThat(Binaries.of(Map.of("ESCAPEMENT_CLUSTER_BIN", "/opt/bin", "XDG_CACHE_HOME", "/cache"), HOME)
                        .folder())
                .isEqualTo(Path.of("/opt/bin"));
    }

    @Test
    void otherwiseItIsTheCacheNamedByTheVersions() {
        String key = Versions.pinned().key();
        assertThat(Binaries.of(Map.of("XDG_CACHE_HOME", "/cache"), HOME).folder())
                .isEqualTo(Path.of("/cache/escapement/cluster").resolve(key));
        assertThat(Binaries.of(Map.of("ESCAPEMENT_CLUSTER_BIN", " "), HOME).folder())
                .isEqualTo(HOME.resolve(".cache/escapement/cluster").resolve(key));
    }

    /** The build takes them from there; two sets of versions would put one's programs into the other's folder. */
    @Test
    void theGoModulesPinTheSameVersions() throws IOException {
        Versions pinned = Versions.pinned();
        assertThat(module("etcd")).contains("go.etcd.io/etcd/server/v3 " + pinned.etcd() + "\n");
        assertThat(module("kubernetes"))
                .contains("k8s.io/kubernetes " + pinned.kubernetes() + "\n")
                .contains("k8s.io/apiserver => k8s.io/apiserver "
                        + pinned.kubernetes().replaceFirst("^v1\\.", "v0.") + "\n");
        assertThat(module("tekton")).contains("github.com/tektoncd/pipeline " + pinned.tekton() + "\n");
    }

    private static String module(String name) throws IOException {
        return Files.readString(Path.of("..", "dev", "cluster.d", name, "go.mod"));
    }
}
