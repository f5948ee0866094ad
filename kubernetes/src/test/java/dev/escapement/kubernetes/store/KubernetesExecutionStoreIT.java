package dev.escapement.kubernetes.store;

import dev.escapement.engine.contract.ContractPorts;
import dev.escapement.engine.contract.ExecutionQueriesContract;
import dev.escapement.engine.contract.ExecutionStoreContract;
import dev.escapement.engine.port.Journal;
import dev.escapement.testkit.cluster.ClusterExtension;
import dev.escapement.testkit.cluster.TestCluster;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.ExtendWith;

/** Runs the store contracts on a real API server. */
@ExtendWith(ClusterExtension.class)
class KubernetesExecutionStoreIT {

    private final KubernetesPorts kubernetesPorts;

    KubernetesExecutionStoreIT(TestCluster cluster) {
        this.kubernetesPorts = KubernetesPorts.open(cluster);
    }

    @AfterEach
    void stopWatching() {
        kubernetesPorts.close();
    }

    @Nested
    class StoreContractSuite extends ExecutionStoreContract {
        @Override
        protected ContractPorts open() {
            return kubernetesPorts.ports(UNUSED_JOURNAL);
        }
    }

    @Nested
    class QueriesContractSuite extends ExecutionQueriesContract {
        @Override
        protected ContractPorts open() {
            return kubernetesPorts.ports(UNUSED_JOURNAL);
        }
    }

    /** EventJournalIT tests the journal. */
    private static final Journal UNUSED_JOURNAL = new Journal() {
        @Override
        public List<Entry> read(String after, int limit) {
            throw new UnsupportedOperationException();
        }

        @Override
        public String endPosition() {
            throw new UnsupportedOperationException();
        }

        @Override
        public Subscription onAppend(Runnable callback) {
            throw new UnsupportedOperationException();
        }
    };
}
