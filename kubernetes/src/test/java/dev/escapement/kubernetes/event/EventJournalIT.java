package dev.escapement.kubernetes.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.contract.ContractPorts;
import dev.escapement.engine.contract.JournalContract;
import dev.escapement.kubernetes.cache.ResourceCache;
import dev.escapement.kubernetes.store.KubernetesPorts;
import dev.escapement.testkit.ConditionPoller;
import dev.escapement.testkit.cluster.ClusterExtension;
import dev.escapement.testkit.cluster.TestCluster;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;

/** Runs the journal contract on the Events of a real cluster. */
@ExtendWith(ClusterExtension.class)
class EventJournalIT extends JournalContract {

    private final KubernetesClient admin;
    private final KubernetesPorts cluster;
    private final EventJournal journal;
    private final EventPublisher publisher;

    EventJournalIT(TestCluster cluster) {
        this.admin = cluster.admin();
        this.cluster = KubernetesPorts.open(cluster);
        deleteAllEvents();
        this.journal = new EventJournal(this.cluster.client(), InstantSource.system());
        this.publisher = new EventPublisher(this.cluster.client(), journal, "test", InstantSource.system());
    }

    private void deleteAllEvents() {
        admin.v1()
                .events()
                .inAnyNamespace()
                .withLabel(EventMapper.MANAGED_BY_LABEL, EventMapper.COMPONENT)
                .list()
                .getItems()
                .forEach(event -> admin.resource(event).delete());
    }

    @Override
    protected ContractPorts open() {
        ConditionPoller.await("the journal is listed", journal::isListed);
        ContractPorts plain = cluster.ports(journal);
        DeletionActors deletions = new DeletionActors();
        return new ContractPorts(
                new EventPublishingStore(
                        plain.store(),
                        cluster.executionCache(),
                        publisher,
                        new EventReplayer(
                                cluster.executionCache(),
                                new ResourceCache<>(),
                                plain.store()::readExecution,
                                publisher::publish,
                                deletions,
                                InstantSource.system()),
                        deletions),
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
                        assertThat(publisher.flush(TestCluster.TIMEOUT)).isTrue();
                    }
                });
    }

    @AfterEach
    void close() {
        publisher.close();
        journal.close();
        cluster.close();
        deleteAllEvents();
    }
}
