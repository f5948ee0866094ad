package dev.escapement.kubernetes.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenFileReaderTest {

    private final Path folder;

    TokenFileReaderTest(@TempDir Path folder) {
        this.folder = folder;
    }

    private Path writeKubeconfig(String user) throws IOException {
        return Files.writeString(folder.resolve("kubeconfig"), """
                apiVersion: v1
                kind: Config
                current-context: here
                contexts: [{name: here, context: {cluster: local, user: me}}]
                clusters: [{name: local, cluster: {server: 'http://127.0.0.1:1'}}]
                users: [{name: other, user: {token: wrong}}, {name: me, user: {%s}}]
                """.formatted(user));
    }

    private static Optional<TokenFileReader> readerOf(Path kubeconfig) {
        return TokenFileReader.of(Config.fromKubeconfig(kubeconfig.toFile()));
    }

    @Test
    void readsTokenFileBesideKubeconfigAtEveryCall() throws IOException {
        Files.writeString(folder.resolve("token"), "first\n");
        TokenFileReader reader = readerOf(writeKubeconfig("tokenFile: token")).orElseThrow();
        assertThat(reader.getToken()).isEqualTo("first");
        Files.writeString(folder.resolve("token"), "second\n");
        assertThat(reader.getToken()).isEqualTo("second");
    }

    @Test
    void clientUsesTokenFile() throws IOException {
        Files.writeString(folder.resolve("token"), "first");
        try (KubernetesClient client =
                KubernetesClients.open(Optional.of(writeKubeconfig("tokenFile: token")), (method, code) -> {})) {
            assertThat(client.getConfiguration().getOauthTokenProvider().getToken())
                    .isEqualTo("first");
        }
    }

    @Test
    void tokenOfKubeconfigTakesPrecedence() throws IOException {
        assertThat(readerOf(writeKubeconfig("token: inline, tokenFile: token"))).isEmpty();
        assertThat(readerOf(writeKubeconfig(""))).isEmpty();
    }

    @Test
    void namesUnreadableTokenFile() throws IOException {
        TokenFileReader reader = readerOf(writeKubeconfig("tokenFile: missing")).orElseThrow();
        assertThatThrownBy(reader::getToken)
                .hasMessageContaining(folder.resolve("missing").toString())
                .hasMessageContaining("cannot be read");
    }
}
