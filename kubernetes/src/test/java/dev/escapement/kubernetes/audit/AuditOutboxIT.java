package dev.escapement.kubernetes.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.contract.ExecutionSamples;
import dev.escapement.testkit.cluster.ClusterExtension;
import dev.escapement.testkit.cluster.TestCluster;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Order, position and stored batches while the receiver or the operator is away. */
@ExtendWith(ClusterExtension.class)
class AuditOutboxIT extends AuditOutboxFixture {

    AuditOutboxIT(TestCluster cluster) {
        super(cluster);
    }

    @Test
    void deliversInOrderAndWritesPositionOncePerMinute() {
        for (int number = 1; number <= 20; number++) {
            append(number, number);
            assertThat(deliverAll(outbox)).containsExactly("ops/e" + number);
            pass(Duration.ofSeconds(2));
            outbox.maintain();
        }
        assertThat(writes).as("twenty deliveries in 40 s").hasValue(0);
        pass(AuditOutbox.SAVE_INTERVAL);
        outbox.maintain();
        assertThat(writes).hasValue(1);
        pass(AuditOutbox.SAVE_INTERVAL);
        outbox.maintain();
        assertThat(writes).as("nothing was delivered since").hasValue(1);
        assertThat(deliverAll(startOutbox())).isEmpty();
    }

    @Test
    void deliversAgainAfterCrashWhatPositionDoesNotHave() {
        append(1, 2);
        deliverAll(outbox);
        outbox.release();
        append(3, 4);
        AuditOutbox crashed = startOutbox();
        assertThat(deliverAll(crashed)).isEqualTo(executions(3, 4));
        assertThat(deliverAll(startOutbox())).isEqualTo(executions(3, 4));
    }

    @Test
    void storesEventsBeforeTheyExpireAndDeliversThemFirst() {
        append(1, 5);
        pass(AuditOutbox.STORE_AGE.minusSeconds(1));
        outbox.maintain();
        assertThat(writes).as("the receiver may be back soon").hasValue(0);
        pass(Duration.ofSeconds(1));
        outbox.maintain();
        assertThat(writes).as("one batch and the position").hasValue(2);
        assertThat(storedBatches()).hasSize(1);
        journal.expireAll();
        append(6, 7);

        AuditOutbox next = startOutbox();
        assertThat(next.backlog().records()).isEqualTo(7);
        assertThat(next.backlog().oldest()).hasValue(ExecutionSamples.NOW);
        assertThat(deliverAll(next)).isEqualTo(executions(1, 7));
        assertThat(storedBatches()).isEmpty();
        assertThat(next.backlog().records()).isZero();
    }

    /** With their namespace: the journal of this process is the only place that has them. */
    @Test
    void storesRemovedEventsAtOnce() {
        append(1, 2);
        eventsRemoved = true;
        outbox.maintain();
        assertThat(storedBatches()).hasSize(1);
        journal.expireAll();
        assertThat(deliverAll(startOutbox())).isEqualTo(executions(1, 2));
    }

    @Test
    void continuesInsideBatchAfterRestart() {
        append(1, 5);
        pass(AuditOutbox.STORE_AGE);
        outbox.maintain();
        outbox.advance(0, outbox.read(2).size());
        outbox.release();
        assertThat(deliverAll(startOutbox())).isEqualTo(executions(3, 5));
    }

    /** The batch that the receiver has just confirmed was stored meanwhile: repeated, not lost. */
    @Test
    void confirmationOfWhatWasStoredMeanwhileLosesNothing() {
        append(1, 3);
        List<AuditOutbox.Item> sent = outbox.read(2);
        pass(AuditOutbox.STORE_AGE);
        outbox.maintain();
        outbox.advance(0, sent.size());
        assertThat(deliverAll(outbox)).isEqualTo(executions(1, 3));
    }

    /** A crash between the two writes. */
    @Test
    void batchThatPositionDoesNotNameIsStoredAgain() {
        append(1, 3);
        new AuditBatchMaps(client, namespace)
                .create(AuditBatch.first(journal.read("", 10).stream()
                                .map(entry -> entry.transition())
                                .toList())
                        .documents());
        pass(AuditOutbox.STORE_AGE);
        outbox.maintain();
        journal.expireAll();
        assertThat(deliverAll(startOutbox())).isEqualTo(executions(1, 3));
    }

    /** Leases do not exclude two leaders. */
    @Test
    void secondLeaderLosesNothing() {
        append(1, 2);
        AuditOutbox other = startOutbox();
        outbox.advance(0, outbox.read(1).size());
        assertThat(deliverAll(other)).isEqualTo(executions(1, 2));
        other.release();
        append(3, 3);
        pass(AuditOutbox.SAVE_INTERVAL);
        outbox.maintain();
        assertThat(deliverAll(outbox))
                .as("continues where the other one stored")
                .isEqualTo(executions(3, 3));
    }

    @Test
    void deliversNothingWhileAnotherReplicaLeads() {
        append(1, 1);
        outbox.start(() -> false);
        outbox.maintain();
        outbox.release();
        assertThat(outbox.read(10)).isEmpty();
        assertThat(outbox.isActive()).isFalse();
        assertThat(writes).hasValue(0);
    }
}
