package dev.escapement.kubernetes.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.kubernetes.run.ClusterAwait;
import dev.escapement.testkit.cluster.ClusterExtension;
import dev.escapement.testkit.cluster.TestCluster;
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
class WebSocketPingIT {

    private static final Duration INTERVAL = Duration.ofSeconds(1);

    private final TestCluster cluster;
    private final String namespace;
    private final BlackholeProxy proxy;
    private final KubernetesClient client;
    private final SharedIndexInformer<ConfigMap> informer;

    WebSocketPingIT(TestCluster cluster) throws IOException {
        this.cluster = cluster;
        this.namespace = cluster.createNamespace("pulse");
        URI server = URI.create(cluster.admin().getMasterUrl().toString());
        this.proxy = new BlackholeProxy(server.getPort());
        this.client = new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder(cluster.admin().getConfiguration())
                        .withMasterUrl(server.getScheme() + "://127.0.0.1:" + proxy.port())
                        .build())
                .withHttpClientFactory(new PingingHttpClientFactory(INTERVAL))
                .build();
        this.informer = client.configMaps().inNamespace(namespace).runnableInformer(0);
        var unused = informer.start();
        ClusterAwait.untilTrue("it watches", informer::isWatching);
    }

    @AfterEach
    void close() throws IOException {
        informer.close();
        client.close();
        proxy.close();
    }

    private void createConfigMap(String name) {
        cluster.admin()
                .resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName(name)
                        .endMetadata()
                        .build())
                .create();
    }

    private boolean hasConfigMap(String name) {
        return informer.getStore().getByKey(namespace + "/" + name) != null;
    }

    @Test
    void restartsBlackholedWatchWithoutMissingEvents() {
        createConfigMap("before");
        ClusterAwait.untilTrue("it hears", () -> hasConfigMap("before"));
        proxy.blackholeOpenConnections();
        createConfigMap("meanwhile");
        ClusterAwait.untilTrue("it has noticed, and knows what it missed", () -> hasConfigMap("meanwhile"));
    }

    /** The calls of an operator take other ways than its watches, and the same ones again and again. */
    @Test
    void dropsConnectionOfTimedOutCall() {
        try (KubernetesClient caller =
                KubernetesClients.open(new ConfigBuilder(client.getConfiguration()).build(), (method, code) -> {})) {
            caller.getConfiguration().setRequestTimeout(1_000);
            caller.configMaps().inNamespace(namespace).list();
            proxy.blackholeOpenConnections();
            ClusterAwait.untilTrue("it takes another way", () -> {
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
    void keepsIdleWatchOpen() {
        int connections = proxy.acceptedConnections();
        int sent = proxy.clientReads();
        // Many times as often as one that does not answer.
        ClusterAwait.untilTrue("it was asked often", () -> proxy.clientReads() > sent + 12);
        assertThat(proxy.acceptedConnections()).isEqualTo(connections);
        assertThat(informer.isWatching()).isTrue();
        createConfigMap("after");
        ClusterAwait.untilTrue("it hears", () -> hasConfigMap("after"));
    }
}
