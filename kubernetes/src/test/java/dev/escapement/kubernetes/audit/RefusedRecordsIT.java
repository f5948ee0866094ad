package dev.escapement.kubernetes.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.testkit.cluster.ClusterExtension;
import dev.escapement.testkit.cluster.TestCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Refused records are stored until a person has replayed them. */
@ExtendWith(ClusterExtension.class)
class RefusedRecordsIT extends AuditOutboxFixture {

    RefusedRecordsIT(TestCluster cluster) {
        super(cluster);
    }

    @Test
    void refusedRecordsAreStoredListedAndReplayedByAnyReplica() {
        append(1, 3);
        AuditOutbox.Item refused = outbox.read(1).get(0);
        outbox.addLetter(0, new RefusedRecord(0, 422, "no such field", now, false, refused.document()));
        assertThat(deliverAll(outbox)).isEqualTo(executions(2, 3));

        AuditOutbox replica = startOutbox();
        replica.start(() -> false);
        assertThat(replica.letters()).singleElement().satisfies(letter -> {
            assertThat(letter.status()).isEqualTo(422);
            assertThat(letter.document()).contains("ops/e1");
        });
        assertThat(outbox.nextReplay()).isEmpty();
        assertThat(replica.requestReplay()).isEqualTo(1);
        pass(AuditOutbox.SAVE_INTERVAL);
        RefusedRecord replay = outbox.nextReplay().orElseThrow();
        outbox.removeLetter(replay.sequence());
        assertThat(replica.letters()).isEmpty();
        assertThat(deliverAll(startOutbox())).as("its position was stored too").isEmpty();
    }

    @Test
    void refusesMoreRefusedRecordsThanFit() {
        AuditPositionMap map = new AuditPositionMap(client, namespace);
        AuditPosition many = AuditPosition.INITIAL;
        for (int number = 0; number < AuditOutbox.MAX_LETTERS; number++) {
            many = many.withLetter(new RefusedRecord(0, 400, "no", now, false, "{\"id\":\"" + number + "\"}"));
        }
        assertThat(map.write(map.read(), many)).isPresent();
        append(1, 1);
        String document = outbox.read(1).get(0).document();
        assertThatThrownBy(() -> outbox.addLetter(0, new RefusedRecord(0, 400, "no", now, false, document)))
                .hasMessageContaining("replay them");
        assertThat(outbox.read(1)).as("not lost").hasSize(1);
    }
}
