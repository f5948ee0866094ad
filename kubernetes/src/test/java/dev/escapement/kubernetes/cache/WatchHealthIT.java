package dev.escapement.kubernetes.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.testkit.ConditionPoller;
import dev.escapement.testkit.cluster.ClusterExtension;
import dev.escapement.testkit.cluster.TestCluster;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ClusterExtension.class)
class WatchHealthIT {

    private final SharedIndexInformer<ConfigMap> informer;
    private final WatchHealth watchHealth = new WatchHealth();

    WatchHealthIT(TestCluster cluster) {
        this.informer = cluster.admin()
                .configMaps()
                .inNamespace(cluster.createNamespace("caches"))
                .runnableInformer(0);
        watchHealth.add("maps", informer);
    }

    @AfterEach
    void stop() {
        informer.stop();
    }

    private void startWatch() {
        informer.run();
        ConditionPoller.await("the watch", informer::isWatching);
    }

    private void stopWatch() {
        informer.stop();
        ConditionPoller.await("the watch is stopped", () -> !informer.isWatching());
    }

    @Test
    void namesUnsyncedWatch() {
        assertThat(watchHealth.findUnsynced())
                .hasValueSatisfying(message -> assertThat(message).contains("maps", "is not synced"));
        assertThat(watchHealth.findDisconnected()).isPresent();
    }

    @Test
    void reportsNothingForConnectedWatch() {
        startWatch();

        assertThat(watchHealth.findUnsynced()).isEmpty();
        assertThat(watchHealth.findDisconnected()).isEmpty();
    }

    @Test
    void namesDisconnectedWatch() {
        startWatch();
        stopWatch();

        assertThat(watchHealth.findDisconnected())
                .hasValueSatisfying(message -> assertThat(message).contains("maps", "is disconnected"));
        assertThat(watchHealth.findUnsynced()).as("it was synced before").isEmpty();
    }
}
