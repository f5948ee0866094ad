package dev.escapement.kubernetes.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.cluster.testing.ClusterExtension;
import dev.escapement.cluster.testing.TestCluster;
import dev.escapement.kubernetes.run.Eventually;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** With a real watch, and a minute that passes at once. */
@ExtendWith(ClusterExtension.class)
class CachesTest {

    private final SharedIndexInformer<ConfigMap> informer;
    private long now = Long.MAX_VALUE;
    private final Caches caches = new Caches(() -> now);

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

    private void pass(Duration time) {
        now += time.toNanos();
    }

    @Test
    void aWatchThatHasNotBegunIsNamed() {
        assertThat(caches.unsynced())
                .hasValueSatisfying(said -> assertThat(said).contains("maps", "has not begun"));
        assertThat(caches.isConnected()).isFalse();
    }

    @Test
    void aWatchThatIsThereIsNoMatter() {
        begin();

        assertThat(caches.unsynced()).isEmpty();
        assertThat(caches.stale()).isEmpty();
        assertThat(caches.isConnected()).isTrue();
    }

    @Test
    void aWatchThatIsCutOffIsStaleAfterAMinuteAndNotBefore() {
        begin();
        cut();

        assertThat(caches.isConnected()).isFalse();
        assertThat(caches.stale()).isEmpty();
        pass(Duration.ofMinutes(1));
        assertThat(caches.stale()).isEmpty();
        pass(Duration.ofNanos(1));
        assertThat(caches.stale()).hasValueSatisfying(said -> assertThat(said).contains("maps", "cut off"));
        assertThat(caches.unsynced()).as("it has begun once").isEmpty();
    }

    /** Else every short interruption would add up. */
    @Test
    void theMinuteBeginsAnewWhenItWasThereInBetween() {
        assertThat(caches.stale()).isEmpty();
        begin();
        assertThat(caches.stale()).isEmpty();
        pass(Duration.ofMinutes(2));
        cut();

        assertThat(caches.stale()).isEmpty();
    }
}
