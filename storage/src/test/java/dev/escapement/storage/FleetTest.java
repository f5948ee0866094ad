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
import dev.escapement.engine.port.Versioned;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.storage.problem.ServerRetired;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** One server after the other on one database: who owns what, and what happens to what a lost one leaves. */
@ParameterizedClass
@EnumSource(Kind.class)
class FleetTest {

    private static final Duration LEASE = Duration.ofMinutes(10);

    private final TestDatabase world;
    private final Database database;
    private final ExecutionStore store;
    private final Fleet fleet;

    FleetTest(Kind kind) {
        world = kind.fresh();
        database = world.open();
        store = database.store();
        fleet = database.fleet();
    }

    @AfterEach
    void close() {
        world.close();
    }

    private void create(int... numbers) {
        for (int number : numbers) {
            assertThat(store.apply(List.of(new StoreWrite.Creation(execution(number)))))
                    .isTrue();
        }
    }

    private void lapse(String id) throws SQLException {
        world.execute("UPDATE servers SET lease_ends = 1 WHERE id = '" + id + "'");
    }

    private List<String> unfinished() {
        List<String> names = new ArrayList<>();
        fleet.unfinished(seen -> names.add(seen.value().ref().name()));
        return names;
    }

    private static List<String> names(List<ExecutionRef> refs) {
        return refs.stream().map(ExecutionRef::name).sorted().toList();
    }

    @Test
    void whoAcceptsAnExecutionOwnsIt() throws Exception {
        assertThat(fleet.join("a", "first", LEASE)).isTrue();
        create(1);
        assertThat(world.column("SELECT owner FROM executions")).containsExactly("a");
        assertThat(unfinished()).containsExactly("e1");
        assertThat(fleet.isGone("a")).isFalse();
        assertThat(fleet.isGone("never-seen")).isTrue();
        assertThat(fleet.lapsed()).isEmpty();
    }

    @Test
    void aLeaseIsValidForAtMostItsLengthAndCanBeRenewed() {
        fleet.join("a", "first", LEASE);
        assertThat(fleet.renew()).isPositive().isLessThanOrEqualTo(LEASE);
    }

    @Test
    void aServerThatWasKilledJoinsAgainAndFindsItsExecutions() {
        fleet.join("a", "first", LEASE);
        create(1, 2);
        assertThat(fleet.join("a", "first", LEASE)).isTrue();
        assertThat(unfinished()).containsExactly("e1", "e2");
        fleet.renew();
        create(3);
    }

    @Test
    void whatIsOverAndHoldsNothingIsFinished() {
        fleet.join("a", "first", LEASE);
        create(1, 2, 3);
        store.apply(List.of(new StoreWrite.StatusUpdate(readExecution(store, execution(1)), runningStatus(execution(1)))));
        Execution over = execution(2);
        store.apply(List.of(new StoreWrite.StatusUpdate(readExecution(store, over), completedStatus(over))));
        Execution holding = execution(3);
        store.apply(List.of(
                new StoreWrite.EntryUpdate(store.readEntry(NODE), heldEntry(holding), NOW),
                new StoreWrite.StatusUpdate(readExecution(store, holding), completedStatus(holding))));
        assertThat(unfinished()).containsExactly("e1", "e3");
    }

    @Test
    void manyUnfinishedExecutionsComeInParts() {
        fleet.join("a", "first", LEASE);
        for (int i = 0; i < 450; i++) {
            create(i);
        }
        assertThat(unfinished()).hasSize(450).doesNotHaveDuplicates();
    }

    @Test
    void fromALivingServerNothingIsTaken() {
        fleet.join("a", "first", LEASE);
        create(1);
        fleet.join("b", "second", LEASE);
        assertThat(fleet.lapsed()).isEmpty();
        assertThat(fleet.takeOver("a")).isEmpty();
        assertThat(fleet.isGone("a")).isFalse();
        assertThat(unfinished()).isEmpty();
    }

    @Test
    void fromALapsedServerAllThatIsUnfinishedIsTakenWithNewVersions() throws Exception {
        fleet.join("a", "first", LEASE);
        create(1, 2, 3);
        Execution over = execution(2);
        store.apply(List.of(new StoreWrite.StatusUpdate(readExecution(store, over), completedStatus(over))));
        Execution holding = execution(3);
        store.apply(List.of(
                new StoreWrite.EntryUpdate(store.readEntry(NODE), heldEntry(holding), NOW),
                new StoreWrite.StatusUpdate(readExecution(store, holding), completedStatus(holding))));
        Versioned<Execution> old = readExecution(store, execution(1));
        lapse("a");

        fleet.join("b", "second", LEASE);
        assertThat(fleet.lapsed()).containsExactly(new Fleet.Server("a", "first"));
        assertThat(names(fleet.takeOver("a").orElseThrow())).containsExactly("e1", "e3");
        assertThat(fleet.isGone("a")).isTrue();
        assertThat(fleet.lapsed()).isEmpty();
        assertThat(unfinished()).containsExactly("e1", "e3");
        assertThat(readExecution(store, execution(1)).version()).isNotEqualTo(old.version());
        assertThat(store.apply(List.of(new StoreWrite.StatusUpdate(old, runningStatus(execution(1))))))
                .isFalse();
        assertThat(store.apply(List.of(new StoreWrite.StatusUpdate(readExecution(store, execution(1)), runningStatus(execution(1))))))
                .isTrue();
        assertThat(fleet.takeOver("a")).hasValue(List.of());
    }

    @Test
    void aServerThatWasTakenOverCanNeitherAcceptNorAdvanceNorRenew() throws Exception {
        fleet.join("a", "first", LEASE);
        create(1, 2);
        takenOverBehindItsBack();
        Versioned<Execution> fresh = readExecution(store, execution(1));
        assertThatThrownBy(() -> store.apply(List.of(new StoreWrite.StatusUpdate(fresh, runningStatus(execution(1))))))
                .isInstanceOf(ServerRetired.class)
                .hasMessageContaining("server a");
        assertThatThrownBy(() -> create(9)).isInstanceOf(ServerRetired.class);
        assertThatThrownBy(fleet::renew).isInstanceOf(ServerRetired.class);
        assertThat(store.readExecution(execution(9).ref())).isEmpty();
        assertThat(readExecution(store, execution(1)).value()).isEqualTo(execution(1));

        assertThat(fleet.join("a", "first", LEASE)).isFalse();
        assertThat(fleet.join("a-2", "first", LEASE)).isTrue();
        create(9);
    }

    /** As another server would: this one does not notice. */
    private void takenOverBehindItsBack() throws SQLException {
        world.execute("UPDATE servers SET gone = true WHERE id = 'a'");
        world.execute("UPDATE executions SET owner = 'b', version = version + 1000 WHERE owner = 'a'");
        world.execute("INSERT INTO servers VALUES ('b', 'second', 1, 99999999999999, false)");
    }

    @Test
    void anyServerMayCancelClearAndDelete() throws Exception {
        fleet.join("a", "first", LEASE);
        create(1);
        fleet.join("b", "second", LEASE);
        assertThat(store.apply(List.of(new StoreWrite.StatusUpdate(readExecution(store, execution(1)), runningStatus(execution(1))))))
                .isFalse();
        assertThat(store.apply(List.of(new StoreWrite.Cancellation(readExecution(store, execution(1)), "anna", NOW))))
                .isTrue();
        assertThat(store.apply(List.of(new StoreWrite.Deletion(readExecution(store, execution(1)), "anna", NOW))))
                .isTrue();
    }

    @Test
    void aSecondServerWithTheSameIdPutsTheFirstOutOfOffice() throws Exception {
        fleet.join("a", "first", LEASE);
        world.execute("UPDATE servers SET incarnation = incarnation + 1");
        assertThatThrownBy(fleet::renew).isInstanceOf(ServerRetired.class);
        assertThatThrownBy(() -> create(1)).isInstanceOf(ServerRetired.class);
    }

    @Test
    void whatALostServerAcceptedInItsLastMomentIsFoundAsWell() throws Exception {
        fleet.join("a", "first", LEASE);
        create(1);
        lapse("a");
        fleet.join("b", "second", LEASE);
        fleet.takeOver("a");
        world.execute("UPDATE executions SET owner = 'a'");
        assertThat(fleet.lapsed()).extracting(Fleet.Server::id).containsExactly("a");
        assertThat(names(fleet.takeOver("a").orElseThrow())).containsExactly("e1");
    }

    @Test
    void whatAnUnknownServerOwnsIsFoundAsWell() throws Exception {
        create(1);
        fleet.join("b", "second", LEASE);
        world.execute("UPDATE executions SET owner = 'forgotten'");
        assertThat(fleet.lapsed()).containsExactly(new Fleet.Server("forgotten", ""));
        assertThat(names(fleet.takeOver("forgotten").orElseThrow())).containsExactly("e1");
        assertThat(unfinished()).containsExactly("e1");
    }

    @Test
    void whoLeavesWithNothingToDoComesBackAsWhoItWas() {
        fleet.join("a", "first", LEASE);
        fleet.leave();
        fleet.join("b", "second", LEASE);
        assertThat(fleet.lapsed()).isEmpty();
        assertThat(fleet.join("a", "first", LEASE)).isTrue();
    }

    @Test
    void whoLeavesCanBeTakenOverAtOnceAndCanComeBackIfNobodyDid() {
        fleet.join("a", "first", LEASE);
        create(1);
        fleet.leave();
        assertThat(fleet.join("a", "first", LEASE)).isTrue();
        fleet.leave();
        fleet.join("b", "second", LEASE);
        assertThat(fleet.lapsed()).extracting(Fleet.Server::id).containsExactly("a");
        assertThat(names(fleet.takeOver("a").orElseThrow())).containsExactly("e1");
        assertThat(fleet.join("a", "first", LEASE)).isFalse();
    }

    @Test
    void aTargetWhoseHolderWasDeletedIsAnOrphan() {
        create(1, 2);
        store.apply(List.of(new StoreWrite.EntryUpdate(store.readEntry(NODE), heldEntry(execution(1)), NOW)));
        Execution other = execution("ops", 2, "repair", "node/other");
        store.apply(List.of(new StoreWrite.EntryUpdate(store.readEntry(heldEntry(other).target()), heldEntry(other), NOW)));
        List<Target> orphans = new ArrayList<>();
        fleet.orphans(orphans::add);
        assertThat(orphans).isEmpty();
        store.apply(List.of(new StoreWrite.Deletion(readExecution(store, execution(1)), "anna", NOW)));
        fleet.orphans(orphans::add);
        assertThat(orphans).containsExactly(NODE);
    }

    @Test
    void tracesOfServersThatAreLongGoneAreRemoved() throws Exception {
        fleet.join("a", "first", LEASE);
        lapse("a");
        fleet.join("b", "second", LEASE);
        fleet.takeOver("a");
        fleet.join("b", "second", LEASE);
        assertThat(world.count("servers")).isEqualTo(2);
        lapse("a");
        fleet.join("b", "second", LEASE);
        assertThat(world.column("SELECT id FROM servers")).containsExactly("b");
        assertThat(fleet.isGone("a")).isTrue();
        assertThat(Optional.of(fleet.renew())).isPresent();
    }
}
