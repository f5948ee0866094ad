package dev.escapement.kubernetes.pulse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.cluster.testing.ClusterExtension;
import dev.escapement.cluster.testing.TestCluster;
import dev.escapement.kubernetes.operator.ApiServer;
import dev.escapement.kubernetes.run.Eventually;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A watch whose other end is gone without a word. */
@ExtendWith(ClusterExtension.class)
class PulseTest {

    private static final Duration INTERVAL = Duration.ofSeconds(1);

    private final TestCluster cluster;
    private final String namespace;
    private final SilentRelay relay;
    private final KubernetesClient client;
    private final SharedIndexInformer<ConfigMap> informer;

    PulseTest(TestCluster cluster) throws IOException {
        this.cluster = cluster;
        this.namespace = cluster.freshNamespace("pulse");
        URI server = URI.create(cluster.admin().getMasterUrl().toString());
        this.relay = new SilentRelay(server.getPort());
        this.client = new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder(cluster.admin().getConfiguration())
                        .withMasterUrl(server.getScheme() + "://127.0.0.1:" + relay.port())
                        .build())
                .withHttpClientFactory(new PulsingFactory(INTERVAL))
                .build();
        this.informer = client.configMaps().inNamespace(namespace).runnableInformer(0);
        var unused = informer.start();
        Eventually.holds("it watches", informer::isWatching);
    }

    @AfterEach
    void close() throws IOException {
        informer.close();
        client.close();
        relay.close();
    }

    private void create(String name) {
        cluster.admin()
                .resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName(name)
                        .endMetadata()
                        .build())
                .create();
    }

    private boolean knows(String name) {
        return informer.getStore().getByKey(namespace + "/" + name) != null;
    }

    @Test
    void aSwallowedWatchBeginsAnewAndMissesNothing() {
        create("before");
        Eventually.holds("it hears", () -> knows("before"));
        relay.swallow();
        create("meanwhile");
        Eventually.holds("it has noticed, and knows what it missed", () -> knows("meanwhile"));
    }

    /** The calls of an operator take other ways than its watches, and the same ones again and again. */
    @Test
    void aCallThatIsSwallowedTakesItsConnectionWithIt() {
        try (KubernetesClient caller =
                ApiServer.open(new ConfigBuilder(client.getConfiguration()).build(), (method, code) -> {})) {
            caller.getConfiguration().setRequestTimeout(1_000);
            caller.configMaps().inNamespace(namespace).list();
            relay.swallow();
            Eventually.holds("it takes another way", () -> {
                try {
                    caller.configMaps().inNamespace(namespace).list();
                    return true;
                } catch (KubernetesClientException silence) {
                    return false;
                }
            });
        }
    }

    /** The API server answers: a watch on which nothing happens goes on. */
    @Test
    void aQuietWatchIsNotDisturbed() {
        int connections = relay.accepted();
        int sent = relay.sent();
        // Many times as often as one that does not answer.
        Eventually.holds("it was asked often", () -> relay.sent() > sent + 12);
        assertThat(relay.accepted()).isEqualTo(connections);
        assertThat(informer.isWatching()).isTrue();
        create("after");
        Eventually.holds("it hears", () -> knows("after"));
    }
}
