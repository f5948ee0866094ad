package dev.escapement.kubernetes.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.cluster.testing.ClusterExtension;
import dev.escapement.cluster.testing.TestCluster;
import dev.escapement.kubernetes.run.Eventually;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** With a real watch. */
@ExtendWith(ClusterExtension.class)
class CachesTest {

    private final SharedIndexInformer<ConfigMap> informer;
    private final Caches caches = new Caches();

    CachesTest(TestCluster cluster) {
        this.informer = cluster.admin()
                .configMaps()
                .inNamespace(cluster.freshNamespace("caches"))
                .runnableInformer(0);
        caches.add("maps", informer);
    }

    @AfterEach
    void stop() {
        informer.stop();
    }

    private void begin() {
        informer.run();
        Eventually.holds("the watch", informer::isWatching);
    }

    private void cut() {
        informer.stop();
        Eventually.holds("the watch has ended", () -> !informer.isWatching());
    }

    @Test
    void aWatchThatHasNotBegunIsNamed() {
        assertThat(caches.unsynced())
                .hasValueSatisfying(said -> assertThat(said).contains("maps", "has not begun"));
        assertThat(caches.cutOff()).isPresent();
    }

    @Test
    void aWatchThatIsThereIsNoMatter() {
        begin();

        assertThat(caches.unsynced()).isEmpty();
        assertThat(caches.cutOff()).isEmpty();
    }

    @Test
    void aWatchThatIsCutOffIsNamed() {
        begin();
        cut();

        assertThat(caches.cutOff()).hasValueSatisfying(said -> assertThat(said).contains("maps", "cut off"));
        assertThat(caches.unsynced()).as("it has begun once").isEmpty();
    }
}
