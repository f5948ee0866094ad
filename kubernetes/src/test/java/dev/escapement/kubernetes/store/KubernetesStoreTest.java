package dev.escapement.kubernetes.store;

import dev.escapement.cluster.testing.ClusterExtension;
import dev.escapement.cluster.testing.TestCluster;
import dev.escapement.engine.contract.DirectoryContract;
import dev.escapement.engine.contract.Ports;
import dev.escapement.engine.contract.StoreContract;
import dev.escapement.engine.port.Journal;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.ExtendWith;

/** The ports on a real API server do what those on a database do. */
@ExtendWith(ClusterExtension.class)
class KubernetesStoreTest {

    private final ClusterPorts opened;

    KubernetesStoreTest(TestCluster cluster) {
        this.opened = ClusterPorts.open(cluster);
    }

    @AfterEach
    void stopWatching() {
        opened.close();
    }

    @Nested
    class Executions extends StoreContract {
        @Override
        protected Ports open() {
            return opened.ports(NOBODY_ASKS);
        }
    }

    @Nested
    class Lists extends DirectoryContract {
        @Override
        protected Ports open() {
            return opened.ports(NOBODY_ASKS);
        }
    }

    /** The journal has a suite of its own. */
    private static final Journal NOBODY_ASKS = new Journal() {
        @Override
        public List<Entry> read(String after, int limit) {
            throw new UnsupportedOperationException();
        }

        @Override
        public String end() {
            throw new UnsupportedOperationException();
        }

        @Override
        public Subscription onAppend(Runnable callback) {
            throw new UnsupportedOperationException();
        }
    };
}
