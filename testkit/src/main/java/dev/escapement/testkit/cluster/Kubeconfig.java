package dev.escapement.testkit.cluster;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/**
 * The identity and the address for a cluster.
 *
 * @param file for {@code KUBECONFIG}; it contains a token, and only its owner can read it
 */
public record Kubeconfig(Path file) {

    /** Writes the file. */
    static Kubeconfig write(Path file, String server, Path authority, String user, String token) {
        String content = """
                apiVersion: v1
                kind: Config
                clusters:
                - name: escapement
                  cluster:
                    server: %s
                    certificate-authority: %s
                users:
                - name: %s
                  user:
                    token: %s
                contexts:
                - name: escapement
                  context:
                    cluster: escapement
                    user: %s
                    namespace: default
                current-context: escapement
                """.formatted(server, authority, user, token, user);
        try {
            ServiceAccountKeys.writeSecret(file, content);
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
        return new Kubeconfig(file);
    }

    /** Returns the configuration of a client. */
    public Config config() {
        return Config.fromKubeconfig(file.toFile());
    }

    /** Returns a new client, which the caller must close. */
    public KubernetesClient client() {
        return new KubernetesClientBuilder().withConfig(config()).build();
    }
}
