package dev.escapement.testkit.cluster;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/**
 * An identity with which to speak to a cluster.
 *
 * @param file the file that {@code KUBECONFIG} names; it holds a token and only its owner can read it
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

    /** For a client with settings of its own. */
    public Config config() {
        return Config.fromKubeconfig(file.toFile());
    }

    /** A new client, to be closed by whoever asked for it. */
    public KubernetesClient client() {
        return new KubernetesClientBuilder().withConfig(config()).build();
    }
}
