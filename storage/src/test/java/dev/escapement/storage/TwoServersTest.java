package dev.escapement.storage;

import static dev.escapement.engine.contract.ExecutionSamples.NODE;
import static dev.escapement.engine.contract.ExecutionSamples.NOW;
import static dev.escapement.engine.contract.ExecutionSamples.execution;
import static dev.escapement.engine.contract.ExecutionSamples.heldEntry;
import static dev.escapement.engine.contract.ExecutionSamples.readExecution;
import static dev.escapement.engine.contract.ExecutionSamples.runningStatus;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.port.Versioned;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.storage.problem.ServerRetired;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two servers at once on one PostgreSQL. */
class TwoServersTest {

    private static final Duration LEASE = Duration.ofMinutes(10);

    private final RealPostgres world = RealPostgres.fresh();
    private final Database first = world.open();
    private final Database second = world.open();

    @AfterEach
    void close() {
        world.close();
    }

    private void lapseOfTheFirst() throws SQLException {
        world.execute("UPDATE servers SET lease_ends = 1 WHERE id = 'a'");
    }

    @Test
    void bothSeeOneLedger() {
        Versioned<LedgerEntry> free = second.store().readEntry(NODE);
        assertThat(first.store().apply(List.of(new StoreWrite.EntryUpdate(free, heldEntry(execution(1)), NOW))))
                .isTrue();
        assertThat(second.store().apply(List.of(new StoreWrite.EntryUpdate(free, heldEntry(execution(2)), NOW))))
                .isFalse();
        assertThat(second.store().readEntry(NODE).value().heldBy(execution(1).ref()))
                .isPresent();
    }

    /** Nobody may be left behind: what is accepted before, during or after the takeover has one owner in office. */
    @Test
    void whatIsAcceptedDuringATakeOverIsRefusedOrTaken() throws Exception {
        first.fleet().join("a", "first", LEASE);
        second.fleet().join("b", "second", LEASE);
        ConcurrentLinkedQueue<ExecutionRef> accepted = new ConcurrentLinkedQueue<>();
        List<ExecutionRef> taken = new ArrayList<>();
        Together.each(5, i -> {
            if (i == 4) {
                lapseOfTheFirst();
                taken.addAll(second.fleet().takeOver("a").orElseThrow());
                return true;
            }
            try {
                for (int n = 0; n < 200; n++) {
                    Execution next = execution("ns" + i, n, "repair", "node/a");
                    assertThat(first.store().apply(List.of(new StoreWrite.Creation(next))))
                            .isTrue();
                    accepted.add(next.ref());
                }
            } catch (ServerRetired over) {
                assertThat(over).hasMessageContaining("server a");
            }
            return true;
        });
        while (!second.fleet().lapsed().isEmpty()) {
            taken.addAll(second.fleet().takeOver("a").orElseThrow());
        }
        List<ExecutionRef> owned = new ArrayList<>();
        second.fleet().unfinished(seen -> owned.add(seen.value().ref()));
        assertThat(owned).containsExactlyInAnyOrderElementsOf(accepted).containsExactlyInAnyOrderElementsOf(taken);
    }

    @Test
    void ofTwoWhoTakeOverOneGetsItAll() throws Exception {
        Database third = world.open();
        first.fleet().join("a", "first", LEASE);
        for (int i = 0; i < 50; i++) {
            first.store().apply(List.of(new StoreWrite.Creation(execution(i))));
        }
        second.fleet().join("b", "second", LEASE);
        third.fleet().join("c", "third", LEASE);
        lapseOfTheFirst();
        List<Optional<List<ExecutionRef>>> taken =
                Together.each(2, i -> (i == 0 ? second : third).fleet().takeOver("a"));
        assertThat(taken.stream().flatMap(Optional::stream).mapToInt(List::size).toArray())
                .containsExactlyInAnyOrder(0, 50);
    }

    @Test
    void aRenewalAndATakeOverExcludeEachOther() throws Exception {
        for (int round = 0; round < 20; round++) {
            String id = "a" + round;
            assertThat(first.fleet().join(id, "first", LEASE)).isTrue();
            first.fleet().leave();
            List<Boolean> done = Together.each(2, i -> {
                if (i == 0) {
                    return second.fleet().takeOver(id).isPresent();
                }
                try {
                    return !first.fleet().renew().isNegative();
                } catch (ServerRetired tooLate) {
                    return false;
                }
            });
            assertThat(done).containsExactlyInAnyOrder(true, false);
        }
    }

    @Test
    void aServerThatSleptThroughItsLeaseCanWriteNothingAboutWhatItHadRead() throws Exception {
        first.fleet().join("a", "first", LEASE);
        second.fleet().join("b", "second", LEASE);
        first.store().apply(List.of(new StoreWrite.Creation(execution(1))));
        Versioned<Execution> before = readExecution(first.store(), execution(1));
        Versioned<LedgerEntry> free = first.store().readEntry(NODE);
        lapseOfTheFirst();
        second.fleet().takeOver("a");
        assertThatThrownBy(() -> first.store()
                        .apply(List.of(
                                new StoreWrite.EntryUpdate(free, heldEntry(execution(1)), NOW),
                                new StoreWrite.StatusUpdate(before, runningStatus(execution(1))))))
                .isInstanceOf(ServerRetired.class);
        assertThat(second.store().readEntry(NODE).version()).isEqualTo(Versioned.ABSENT);
        assertThat(second.store()
                        .apply(List.of(
                                new StoreWrite.EntryUpdate(free, heldEntry(execution(1)), NOW),
                                new StoreWrite.StatusUpdate(readExecution(second.store(), execution(1)), runningStatus(execution(1))))))
                .isTrue();
    }
}
