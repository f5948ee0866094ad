package dev.escapement.testkit.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The registry protocol, with a plain HTTP client. */
class BundleRegistryTest {

    private final BundleRegistry registry = BundleRegistry.start();
    private final HttpClient client = HttpClient.newHttpClient();

    @AfterEach
    void stop() {
        registry.close();
    }

    @Test
    void findsBundleByTagAndDigest() throws Exception {
        TektonBundle bundle = TektonBundle.of("workflow", "pipeline", "tekton.dev/v1", "kind: Pipeline");
        String reference = registry.add("workflows/restart", "v1", bundle);
        assertThat(reference).isEqualTo(registry.address() + "/workflows/restart:v1");

        HttpResponse<byte[]> byTag = send("GET", "/v2/workflows/restart/manifests/v1");
        assertThat(byTag.statusCode()).isEqualTo(200);
        assertThat(byTag.headers().firstValue("Docker-Content-Digest")).hasValue(bundle.digest());
        assertThat(OciBlob.digestOf(byTag.body())).isEqualTo(bundle.digest());
        assertThat(new String(byTag.body(), StandardCharsets.UTF_8))
                .contains("\"dev.tekton.image.name\":\"workflow\"", "\"dev.tekton.image.kind\":\"pipeline\"");
        assertThat(send("GET", "/v2/workflows/restart/manifests/" + bundle.digest())
                        .body())
                .isEqualTo(byTag.body());
        for (OciBlob blob : bundle.blobs()) {
            assertThat(send("GET", "/v2/workflows/restart/blobs/" + blob.digest())
                            .body())
                    .isEqualTo(blob.content());
        }
    }

    @Test
    void answersHeadWithLengthAndNoBody() throws Exception {
        TektonBundle bundle = TektonBundle.of("workflow", "pipeline", "tekton.dev/v1", "kind: Pipeline");
        registry.add("workflows/restart", "v1", bundle);

        HttpResponse<byte[]> head = send("HEAD", "/v2/workflows/restart/manifests/v1");

        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(head.body()).isEmpty();
        assertThat(head.headers().firstValueAsLong("Content-Length"))
                .hasValue(bundle.manifest().content().length);
    }

    @Test
    void answersUnknownBundleWithRegistryError() throws Exception {
        HttpResponse<byte[]> none = send("GET", "/v2/workflows/restart/manifests/v9");

        assertThat(none.statusCode()).isEqualTo(404);
        assertThat(new String(none.body(), StandardCharsets.UTF_8)).contains("MANIFEST_UNKNOWN");
        assertThat(send("GET", "/elsewhere").statusCode()).isEqualTo(404);
        assertThat(send("PUT", "/v2/workflows/restart/manifests/v1").statusCode())
                .isEqualTo(405);
    }

    @Test
    void rejectsKindThatTektonRejects() {
        assertThatThrownBy(() -> TektonBundle.of("workflow", "Pipeline", "tekton.dev/v1", ""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'Pipeline'");
    }

    private HttpResponse<byte[]> send(String method, String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + registry.address() + path))
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofByteArray());
    }
}
