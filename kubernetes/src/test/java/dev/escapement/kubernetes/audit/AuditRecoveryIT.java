package dev.escapement.kubernetes.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.contract.ExecutionSamples;
import dev.escapement.testkit.cluster.ClusterExtension;
import dev.escapement.testkit.cluster.TestCluster;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Records that have no Event any more are derived from stored state. */
@ExtendWith(ClusterExtension.class)
class AuditRecoveryIT extends AuditOutboxFixture {

    AuditRecoveryIT(TestCluster cluster) {
        super(cluster);
    }

    @Test
    void derivesWhatHappenedWhileNoOperatorRan() {
        append(1, 1);
        stored.add(transition(1));
        deliverAll(outbox);
        outbox.maintain();
        outbox.release();

        pass(EVENT_LIFETIME.multipliedBy(2));
        stored.add(transition(2));
        pass(EVENT_LIFETIME.plusSeconds(1));
        journal.expireAll();
        AuditOutbox next = startOutbox();
        next.maintain();
        assertThat(deliverAll(next)).contains("ops/e2");
        next.release();
        AuditOutbox third = startOutbox();
        third.maintain();
        assertThat(deliverAll(third)).isEmpty();
    }

    @Test
    void derivesWhatHasNoEventBecauseNoneCouldBeCreated() {
        outbox.maintain();
        eventsComplete = false;
        stored.add(transition(1));
        outbox.maintain();
        assertThat(outbox.isRecorded(now)).as("retention keeps it").isFalse();
        for (int minute = 0; minute < 200; minute++) {
            pass(Duration.ofMinutes(1));
            outbox.maintain();
        }
        assertThat(deliverAll(outbox)).containsExactly("ops/e1");
        assertThat(outbox.isRecorded(ExecutionSamples.NOW)).isTrue();
    }

    @Test
    void firstStartDeliversAllThatIsStored() {
        stored.add(transition(1));
        pass(Duration.ofDays(3));
        append(2, 2);
        outbox.maintain();
        assertThat(deliverAll(outbox)).isEqualTo(executions(1, 2));
    }

    @Test
    void fullBacklogKeepsExecutionsUntilTheirRecordsAreDerivedAgain() {
        outbox.maintain();
        AuditPositionMap map = new AuditPositionMap(client, namespace);
        String name = new AuditBatchMaps(client, namespace).create(List.of("{}"));
        AuditPosition full = AuditPosition.INITIAL;
        for (int batch = 0; batch < AuditOutbox.MAX_BATCHES; batch++) {
            full = full.withBatch(new AuditPosition.Batch(name, 1, now));
        }
        assertThat(map.write(map.read(), full)).isPresent();
        AuditOutbox next = startOutbox();
        append(1, 1);
        stored.add(transition(1));
        Instant happened = now;
        pass(AuditOutbox.STORE_AGE);
        next.maintain();
        assertThat(next.isRecorded(happened)).isFalse();
        journal.expireAll();
        pass(EVENT_LIFETIME);
        next.maintain();
        assertThat(next.isRecorded(happened)).isFalse();

        var stuck = map.read();
        assertThat(map.write(stuck, AuditPosition.INITIAL.at(stuck.value().journalPosition(), 0, Instant.EPOCH)))
                .isPresent();
        AuditOutbox relieved = startOutbox();
        relieved.maintain();
        assertThat(deliverAll(relieved)).containsExactly("ops/e1");
        assertThat(relieved.isRecorded(happened)).isTrue();
    }
}
