package dev.escapement.kubernetes.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.kubernetes.client.PingingHttpClient.PingingHttpClientFactory;
import dev.escapement.testkit.ConditionPoller;
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

/** Watches whose connection is silently dropped. */
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
        this.namespace = cluster.createNamespace("ping");
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
        ConditionPoller.await("the watch is open", informer::isWatching);
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
        ConditionPoller.await("the object arrives", () -> hasConfigMap("before"));
        proxy.blackholeOpenConnections();
        createConfigMap("meanwhile");
        ConditionPoller.await("the watch is restarted and has the missed object", () -> hasConfigMap("meanwhile"));
    }

    /** Calls use other connections than watches, and reuse them. */
    @Test
    void dropsConnectionOfTimedOutCall() {
        try (KubernetesClient caller =
                KubernetesClients.open(new ConfigBuilder(client.getConfiguration()).build(), (method, code) -> {})) {
            caller.getConfiguration().setRequestTimeout(1_000);
            caller.configMaps().inNamespace(namespace).list();
            proxy.blackholeOpenConnections();
            ConditionPoller.await("the call uses a new connection", () -> {
                try {
                    caller.configMaps().inNamespace(namespace).list();
                    return true;
                } catch (KubernetesClientException timeout) {
                    return false;
                }
            });
        }
    }

    @Test
    void keepsIdleWatchOpen() {
        int connections = proxy.acceptedConnections();
        int sent = proxy.clientReads();
        // Several times the number of unanswered pings that closes a connection.
        ConditionPoller.await("many pings were sent", () -> proxy.clientReads() > sent + 12);
        assertThat(proxy.acceptedConnections()).isEqualTo(connections);
        assertThat(informer.isWatching()).isTrue();
        createConfigMap("after");
        ConditionPoller.await("the object arrives", () -> hasConfigMap("after"));
    }
}
