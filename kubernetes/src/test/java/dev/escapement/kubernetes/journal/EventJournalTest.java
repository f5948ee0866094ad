package dev.escapement.kubernetes.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.cluster.testing.ClusterExtension;
import dev.escapement.cluster.testing.TestCluster;
import dev.escapement.engine.contract.ContractPorts;
import dev.escapement.engine.contract.JournalContract;
import dev.escapement.kubernetes.store.ClusterPorts;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;

/** The Events of a real cluster are a journal. */
@ExtendWith(ClusterExtension.class)
class EventJournalTest extends JournalContract {

    private final KubernetesClient admin;
    private final ClusterPorts cluster;
    private final EventJournal journal;
    private final EventPoster poster;

    EventJournalTest(TestCluster cluster) {
        this.admin = cluster.admin();
        this.cluster = ClusterPorts.open(cluster);
        forgetAll();
        this.journal = EventJournal.watch(this.cluster.client());
        this.poster = new EventPoster(this.cluster.client(), journal, "test", InstantSource.system());
    }

    private void forgetAll() {
        admin.v1()
                .events()
                .inAnyNamespace()
                .withLabel(EventCodec.LABEL, EventCodec.COMPONENT)
                .list()
                .getItems()
                .forEach(event -> admin.resource(event).delete());
    }

    @Override
    protected ContractPorts open() {
        long deadline = System.nanoTime() + TestCluster.PATIENCE.toNanos();
        while (!journal.isListed() && System.nanoTime() < deadline) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
        assertThat(journal.isListed()).isTrue();
        ContractPorts plain = cluster.ports(journal);
        return new ContractPorts(
                new TellingStore(plain.store(), cluster.executions(), poster::post, poster::insist),
                plain.queries(),
                journal,
                new ContractPorts.StoreTraits() {
                    @Override
                    public boolean isTransactional() {
                        return false;
                    }

                    @Override
                    public boolean isApiServer() {
                        return true;
                    }

                    @Override
                    public void awaitLaterCreation() {
                        cluster.awaitLaterCreation();
                    }

                    @Override
                    public void awaitJournal() {
                        assertThat(poster.flush(TestCluster.PATIENCE)).isTrue();
                    }
                });
    }

    @AfterEach
    void close() {
        poster.close();
        journal.close();
        cluster.close();
        forgetAll();
    }
}
