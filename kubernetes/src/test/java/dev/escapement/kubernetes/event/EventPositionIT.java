package dev.escapement.kubernetes.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.port.Journal;
import dev.escapement.testkit.ConditionPoller;
import dev.escapement.testkit.cluster.ClusterExtension;
import dev.escapement.testkit.cluster.TestCluster;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Positions that a later process continues from. */
@ExtendWith(ClusterExtension.class)
class EventPositionIT {

    /** Later than all versions of the cluster. */
    private static final long LATER = 1L << 40;

    private final KubernetesClient client;
    private final EventJournal journal;

    EventPositionIT(TestCluster cluster) {
        client = cluster.admin();
        journal = new EventJournal(client, InstantSource.system());
        ConditionPoller.await("the journal is listed", journal::isListed);
    }

    @AfterEach
    void close() {
        journal.close();
    }

    @Test
    void positionThatClusterNeverHadStartsAgain() {
        assertThat(journal.continueFrom(position(1))).isEqualTo(Journal.START);
        assertThat(journal.continueFrom("1")).as("its Event has expired").isEqualTo("1");
        assertThat(journal.continueFrom(Journal.START)).isEqualTo(Journal.START);
        assertThat(journal.completePosition(Journal.START)).isEqualTo(Journal.START);
    }

    private static String position(long offset) {
        return Long.toString(LATER + offset);
    }
}
