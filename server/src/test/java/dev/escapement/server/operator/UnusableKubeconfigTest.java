package dev.escapement.server.operator;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.server.StartException;
import dev.escapement.server.config.SettingsReader;
import dev.escapement.server.config.SettingsSources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Errors of an operator without a usable kubeconfig. */
class UnusableKubeconfigTest {

    @TempDir
    private Path folder = Path.of("");

    private void start(Path kubeconfig) {
        Map<String, String> flags = Map.of("kubeconfig", kubeconfig.toString(), "data", folder.toString());
        OperatorServer.start(SettingsReader.read(new SettingsSources(flags, Map.of(), folder, folder)))
                .close();
    }

    @Test
    void reportsMissingKubeconfig() {
        assertThatThrownBy(() -> start(folder.resolve("nowhere")))
                .isInstanceOf(StartException.class)
                .hasMessageContainingAll("no cluster is configured", "nowhere");
    }

    /** The client library would use the address for pods, and fail with a DNS error. */
    @Test
    void refusesKubeconfigWithoutCluster() throws IOException {
        Path empty = Files.writeString(folder.resolve("empty"), "apiVersion: v1\nkind: Config\n");
        assertThatThrownBy(() -> start(empty))
                .isInstanceOf(StartException.class)
                .hasMessageContaining(
                        "no cluster is configured: name a kubeconfig file with --kubeconfig or KUBECONFIG that exists");
    }
}
