package dev.escapement.kubernetes.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.kubernetes.client.KubernetesClients;
import dev.escapement.testkit.cluster.ClusterExtension;
import dev.escapement.testkit.cluster.TestCluster;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A list of large objects must not be in memory as a whole. */
@ExtendWith(ClusterExtension.class)
class PagedListIT {

    private static final int OBJECTS = 120;
    private static final int OK = 200;

    private final TestCluster cluster;

    PagedListIT(TestCluster cluster) {
        this.cluster = cluster;
    }

    @Test
    void informerListsInPages() {
        String namespace = cluster.createNamespace("pages");
        for (int i = 0; i < OBJECTS; i++) {
            cluster.admin()
                    .resource(new ConfigMapBuilder()
                            .withNewMetadata()
                            .withNamespace(namespace)
                            .withName("page-test-" + i)
                            .addToLabels("pages", "yes")
                            .endMetadata()
                            .build())
                    .create();
        }
        AtomicInteger lists = new AtomicInteger();
        try (KubernetesClient client = KubernetesClients.open(cluster.admin().getConfiguration(), (method, code) -> {
            if (code == OK) {
                lists.incrementAndGet();
            }
        })) {
            ResourceCache<ConfigMap> cache = new ResourceCache<>();
            var informer =
                    cache.newInformer(client.configMaps().inNamespace(namespace).withLabel("pages", "yes"));
            WatchHealth.startAll(List.of(informer));
            assertThat(cache.all()).hasSize(OBJECTS);
            assertThat(lists).hasValue(3);
            informer.close();
        }
    }
}
