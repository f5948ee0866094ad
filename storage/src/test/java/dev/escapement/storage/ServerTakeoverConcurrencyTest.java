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
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.storage.problem.StorageException.ServerLeaseLostException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two servers on one PostgreSQL at the same time. */
class ServerTakeoverConcurrencyTest {

    private static final Duration LEASE = Duration.ofMinutes(10);

    private final PostgresTestDatabase testDatabase = PostgresTestDatabase.create();
    private final Database first = testDatabase.open();
    private final Database second = testDatabase.open();

    @AfterEach
    void close() {
        testDatabase.close();
    }

    private void expireLeaseOfFirst() throws SQLException {
        testDatabase.execute("UPDATE servers SET lease_ends = 1 WHERE id = 'a'");
    }

    @Test
    void serversShareOneLedger() {
        Versioned<LedgerEntry> free = second.store().readEntry(NODE);
        assertThat(first.store().apply(List.of(new StoreWrite.EntryUpdate(free, heldEntry(execution(1)), NOW))))
                .isTrue();
        assertThat(second.store().apply(List.of(new StoreWrite.EntryUpdate(free, heldEntry(execution(2)), NOW))))
                .isFalse();
        assertThat(second.store().readEntry(NODE).value().heldBy(execution(1).ref()))
                .isPresent();
    }

    /** An execution that is accepted before, during or after the takeover has exactly one registered owner. */
    @Test
    void executionAcceptedDuringTakeoverIsRejectedOrTakenOver() throws Exception {
        first.serverRegistry().register("a", "first", LEASE);
        second.serverRegistry().register("b", "second", LEASE);
        ConcurrentLinkedQueue<ExecutionRef> accepted = new ConcurrentLinkedQueue<>();
        List<ExecutionRef> taken = new ArrayList<>();
        ConcurrentTasks.runAll(5, i -> {
            if (i == 4) {
                expireLeaseOfFirst();
                taken.addAll(second.serverRegistry().takeOver("a").orElseThrow());
                return true;
            }
            try {
                for (int n = 0; n < 200; n++) {
                    Execution next = execution("ns" + i, n, "repair", "node/a");
                    assertThat(first.store().apply(List.of(new StoreWrite.Creation(next))))
                            .isTrue();
                    accepted.add(next.ref());
                }
            } catch (ServerLeaseLostException leaseLost) {
                assertThat(leaseLost).hasMessageContaining("server a");
            }
            return true;
        });
        while (!second.serverRegistry().expiredServers().isEmpty()) {
            taken.addAll(second.serverRegistry().takeOver("a").orElseThrow());
        }
        List<ExecutionRef> owned = new ArrayList<>();
        second.serverRegistry().forEachUnfinished(seen -> owned.add(seen.value().ref()));
        assertThat(owned).containsExactlyInAnyOrderElementsOf(accepted).containsExactlyInAnyOrderElementsOf(taken);
    }

    @Test
    void onlyOneOfTwoConcurrentTakeoversSucceeds() throws Exception {
        Database third = testDatabase.open();
        first.serverRegistry().register("a", "first", LEASE);
        for (int i = 0; i < 50; i++) {
            first.store().apply(List.of(new StoreWrite.Creation(execution(i))));
        }
        second.serverRegistry().register("b", "second", LEASE);
        third.serverRegistry().register("c", "third", LEASE);
        expireLeaseOfFirst();
        List<Optional<List<ExecutionRef>>> taken = ConcurrentTasks.runAll(
                2, i -> (i == 0 ? second : third).serverRegistry().takeOver("a"));
        assertThat(taken.stream().flatMap(Optional::stream).mapToInt(List::size).toArray())
                .containsExactlyInAnyOrder(0, 50);
    }

    @Test
    void renewalAndTakeoverExcludeEachOther() throws Exception {
        for (int round = 0; round < 20; round++) {
            String id = "a" + round;
            assertThat(first.serverRegistry().register(id, "first", LEASE)).isTrue();
            first.serverRegistry().releaseLease();
            List<Boolean> done = ConcurrentTasks.runAll(2, i -> {
                if (i == 0) {
                    return second.serverRegistry().takeOver(id).isPresent();
                }
                try {
                    return !first.serverRegistry().renewLease().left().isNegative();
                } catch (ServerLeaseLostException tooLate) {
                    return false;
                }
            });
            assertThat(done).containsExactlyInAnyOrder(true, false);
        }
    }

    @Test
    void rejectsWritesOfPausedServerAfterTakeover() throws Exception {
        first.serverRegistry().register("a", "first", LEASE);
        second.serverRegistry().register("b", "second", LEASE);
        first.store().apply(List.of(new StoreWrite.Creation(execution(1))));
        Versioned<Execution> before = readExecution(first.store(), execution(1));
        Versioned<LedgerEntry> free = first.store().readEntry(NODE);
        expireLeaseOfFirst();
        second.serverRegistry().takeOver("a");
        assertThatThrownBy(() -> first.store()
                        .apply(List.of(
                                new StoreWrite.EntryUpdate(free, heldEntry(execution(1)), NOW),
                                new StoreWrite.StatusUpdate(before, runningStatus(execution(1))))))
                .isInstanceOf(ServerLeaseLostException.class);
        assertThat(second.store().readEntry(NODE).version()).isEqualTo(Versioned.ABSENT);
        assertThat(second.store()
                        .apply(List.of(
                                new StoreWrite.EntryUpdate(free, heldEntry(execution(1)), NOW),
                                new StoreWrite.StatusUpdate(
                                        readExecution(second.store(), execution(1)), runningStatus(execution(1))))))
                .isTrue();
    }
}
