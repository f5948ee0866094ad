package dev.escapement.storage;

import static dev.escapement.engine.contract.ExecutionSamples.NODE;
import static dev.escapement.engine.contract.ExecutionSamples.NOW;
import static dev.escapement.engine.contract.ExecutionSamples.completedStatus;
import static dev.escapement.engine.contract.ExecutionSamples.execution;
import static dev.escapement.engine.contract.ExecutionSamples.heldEntry;
import static dev.escapement.engine.contract.ExecutionSamples.readExecution;
import static dev.escapement.engine.contract.ExecutionSamples.runningStatus;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.storage.problem.StorageException.ServerLeaseLostException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Registers one server after the other on one database: ownership, leases and takeovers. */
@ParameterizedClass
@EnumSource(DatabaseKind.class)
class ServerRegistryTest {

    private static final Duration LEASE = Duration.ofMinutes(10);

    private final TestDatabase testDatabase;
    private final Database database;
    private final ExecutionStore store;
    private final ServerRegistry registry;

    ServerRegistryTest(DatabaseKind kind) {
        testDatabase = kind.create();
        database = testDatabase.open();
        store = database.store();
        registry = database.serverRegistry();
    }

    @AfterEach
    void close() {
        testDatabase.close();
    }

    private void create(int... numbers) {
        for (int number : numbers) {
            assertThat(store.apply(List.of(new StoreWrite.Creation(execution(number)))))
                    .isTrue();
        }
    }

    private void expireLease(String id) throws SQLException {
        testDatabase.execute("UPDATE servers SET lease_ends = 1 WHERE id = '" + id + "'");
    }

    private List<String> unfinishedNames() {
        List<String> names = new ArrayList<>();
        registry.forEachUnfinished(seen -> names.add(seen.value().ref().name()));
        return names;
    }

    private static List<String> names(List<ExecutionRef> refs) {
        return refs.stream().map(ExecutionRef::name).sorted().toList();
    }

    @Test
    void serverOwnsExecutionsItAccepts() throws Exception {
        assertThat(registry.register("a", "first", LEASE)).isTrue();
        create(1);
        assertThat(testDatabase.queryColumn("SELECT owner FROM executions")).containsExactly("a");
        assertThat(unfinishedNames()).containsExactly("e1");
        assertThat(registry.isGone("a")).isFalse();
        assertThat(registry.isGone("never-seen")).isTrue();
        assertThat(registry.expiredServers()).isEmpty();
    }

    @Test
    void renewalReturnsAtMostTheLeaseDuration() {
        registry.register("a", "first", LEASE);
        assertThat(registry.renewLease().left()).isPositive().isLessThanOrEqualTo(LEASE);
    }

    @Test
    void restartedServerFindsItsExecutions() {
        registry.register("a", "first", LEASE);
        create(1, 2);
        assertThat(registry.register("a", "first", LEASE)).isTrue();
        assertThat(unfinishedNames()).containsExactly("e1", "e2");
        registry.renewLease();
        create(3);
    }

    @Test
    void finalExecutionIsUnfinishedOnlyWhileItHoldsItsTarget() {
        registry.register("a", "first", LEASE);
        create(1, 2, 3);
        store.apply(
                List.of(new StoreWrite.StatusUpdate(readExecution(store, execution(1)), runningStatus(execution(1)))));
        Execution finished = execution(2);
        store.apply(List.of(new StoreWrite.StatusUpdate(readExecution(store, finished), completedStatus(finished))));
        Execution holding = execution(3);
        store.apply(List.of(
                new StoreWrite.EntryUpdate(store.readEntry(NODE), heldEntry(holding), NOW),
                new StoreWrite.StatusUpdate(readExecution(store, holding), completedStatus(holding))));
        assertThat(unfinishedNames()).containsExactly("e1", "e3");
    }

    @Test
    void listsMoreUnfinishedExecutionsThanOneBatch() {
        registry.register("a", "first", LEASE);
        for (int i = 0; i < 450; i++) {
            create(i);
        }
        assertThat(unfinishedNames()).hasSize(450).doesNotHaveDuplicates();
    }

    @Test
    void doesNotTakeOverFromServerWithValidLease() {
        registry.register("a", "first", LEASE);
        create(1);
        registry.register("b", "second", LEASE);
        assertThat(registry.expiredServers()).isEmpty();
        assertThat(registry.takeOver("a")).isEmpty();
        assertThat(registry.isGone("a")).isFalse();
        assertThat(unfinishedNames()).isEmpty();
    }

    @Test
    void takesOverUnfinishedExecutionsOfExpiredServerWithNewVersions() throws Exception {
        registry.register("a", "first", LEASE);
        create(1, 2, 3);
        Execution finished = execution(2);
        store.apply(List.of(new StoreWrite.StatusUpdate(readExecution(store, finished), completedStatus(finished))));
        Execution holding = execution(3);
        store.apply(List.of(
                new StoreWrite.EntryUpdate(store.readEntry(NODE), heldEntry(holding), NOW),
                new StoreWrite.StatusUpdate(readExecution(store, holding), completedStatus(holding))));
        Versioned<Execution> old = readExecution(store, execution(1));
        expireLease("a");

        registry.register("b", "second", LEASE);
        assertThat(registry.expiredServers()).containsExactly(new ServerRegistry.Server("a", "first"));
        assertThat(names(registry.takeOver("a").orElseThrow())).containsExactly("e1", "e3");
        assertThat(registry.isGone("a")).isTrue();
        assertThat(registry.expiredServers()).isEmpty();
        assertThat(unfinishedNames()).containsExactly("e1", "e3");
        assertThat(readExecution(store, execution(1)).version()).isNotEqualTo(old.version());
        assertThat(store.apply(List.of(new StoreWrite.StatusUpdate(old, runningStatus(execution(1))))))
                .isFalse();
        assertThat(store.apply(List.of(
                        new StoreWrite.StatusUpdate(readExecution(store, execution(1)), runningStatus(execution(1))))))
                .isTrue();
        assertThat(registry.takeOver("a")).hasValue(List.of());
    }

    @Test
    void rejectsWritesAndRenewalOfTakenOverServer() throws Exception {
        registry.register("a", "first", LEASE);
        create(1, 2);
        takeOverByOtherServer();
        Versioned<Execution> fresh = readExecution(store, execution(1));
        assertThatThrownBy(() -> store.apply(List.of(new StoreWrite.StatusUpdate(fresh, runningStatus(execution(1))))))
                .isInstanceOf(ServerLeaseLostException.class)
                .hasMessageContaining("server a");
        assertThatThrownBy(() -> create(9)).isInstanceOf(ServerLeaseLostException.class);
        assertThatThrownBy(registry::renewLease).isInstanceOf(ServerLeaseLostException.class);
        assertThat(store.readExecution(execution(9).ref())).isEmpty();
        assertThat(readExecution(store, execution(1)).value()).isEqualTo(execution(1));

        assertThat(registry.register("a", "first", LEASE)).isFalse();
        assertThat(registry.register("a-2", "first", LEASE)).isTrue();
        create(9);
    }

    /** Does what a takeover by another server does to the tables. */
    private void takeOverByOtherServer() throws SQLException {
        testDatabase.execute("UPDATE servers SET gone = true WHERE id = 'a'");
        testDatabase.execute("UPDATE executions SET owner = 'b', version = version + 1000 WHERE owner = 'a'");
        testDatabase.execute("INSERT INTO servers VALUES ('b', 'second', 1, 99999999999999, false, 1)");
    }

    @Test
    void anyServerMayCancelAndDelete() throws Exception {
        registry.register("a", "first", LEASE);
        create(1);
        registry.register("b", "second", LEASE);
        assertThat(store.apply(List.of(
                        new StoreWrite.StatusUpdate(readExecution(store, execution(1)), runningStatus(execution(1))))))
                .isFalse();
        assertThat(store.apply(List.of(new StoreWrite.Cancellation(readExecution(store, execution(1)), "anna", NOW))))
                .isTrue();
        assertThat(store.apply(List.of(new StoreWrite.Deletion(readExecution(store, execution(1)), "anna", NOW))))
                .isTrue();
    }

    @Test
    void secondServerWithSameIdInvalidatesTheFirst() throws Exception {
        registry.register("a", "first", LEASE);
        testDatabase.execute("UPDATE servers SET incarnation = incarnation + 1");
        assertThatThrownBy(registry::renewLease).isInstanceOf(ServerLeaseLostException.class);
        assertThatThrownBy(() -> create(1)).isInstanceOf(ServerLeaseLostException.class);
    }

    @Test
    void findsExecutionsAcceptedByServerAfterItsTakeover() throws Exception {
        registry.register("a", "first", LEASE);
        create(1);
        expireLease("a");
        registry.register("b", "second", LEASE);
        registry.takeOver("a");
        testDatabase.execute("UPDATE executions SET owner = 'a'");
        assertThat(registry.expiredServers())
                .extracting(ServerRegistry.Server::id)
                .containsExactly("a");
        assertThat(names(registry.takeOver("a").orElseThrow())).containsExactly("e1");
    }

    @Test
    void takesOverExecutionsOfUnknownServer() throws Exception {
        create(1);
        registry.register("b", "second", LEASE);
        testDatabase.execute("UPDATE executions SET owner = 'forgotten'");
        assertThat(registry.expiredServers()).containsExactly(new ServerRegistry.Server("forgotten", ""));
        assertThat(names(registry.takeOver("forgotten").orElseThrow())).containsExactly("e1");
        assertThat(unfinishedNames()).containsExactly("e1");
    }

    @Test
    void serverWithoutExecutionsKeepsItsIdAfterReleasingItsLease() {
        registry.register("a", "first", LEASE);
        registry.releaseLease();
        registry.register("b", "second", LEASE);
        assertThat(registry.expiredServers()).isEmpty();
        assertThat(registry.register("a", "first", LEASE)).isTrue();
    }

    @Test
    void serverThatReleasedItsLeaseCanBeTakenOverAtOnceOrReturn() {
        registry.register("a", "first", LEASE);
        create(1);
        registry.releaseLease();
        assertThat(registry.register("a", "first", LEASE)).isTrue();
        registry.releaseLease();
        registry.register("b", "second", LEASE);
        assertThat(registry.expiredServers())
                .extracting(ServerRegistry.Server::id)
                .containsExactly("a");
        assertThat(names(registry.takeOver("a").orElseThrow())).containsExactly("e1");
        assertThat(registry.register("a", "first", LEASE)).isFalse();
    }

    @Test
    void reportsTargetWhoseHolderWasDeletedAsOrphaned() {
        create(1, 2);
        store.apply(List.of(new StoreWrite.EntryUpdate(store.readEntry(NODE), heldEntry(execution(1)), NOW)));
        Execution other = execution("ops", 2, "repair", "node/other");
        store.apply(List.of(
                new StoreWrite.EntryUpdate(store.readEntry(heldEntry(other).target()), heldEntry(other), NOW)));
        List<Target> orphans = new ArrayList<>();
        registry.forEachOrphanedTarget(orphans::add);
        assertThat(orphans).isEmpty();
        store.apply(List.of(new StoreWrite.Deletion(readExecution(store, execution(1)), "anna", NOW)));
        registry.forEachOrphanedTarget(orphans::add);
        assertThat(orphans).containsExactly(NODE);
    }

    @Test
    void removesServersThatAreGoneForLong() throws Exception {
        registry.register("a", "first", LEASE);
        expireLease("a");
        registry.register("b", "second", LEASE);
        registry.takeOver("a");
        registry.register("b", "second", LEASE);
        assertThat(testDatabase.countRows("servers")).isEqualTo(2);
        expireLease("a");
        registry.register("b", "second", LEASE);
        assertThat(testDatabase.queryColumn("SELECT id FROM servers")).containsExactly("b");
        assertThat(registry.isGone("a")).isTrue();
        assertThat(Optional.of(registry.renewLease())).isPresent();
    }
}
