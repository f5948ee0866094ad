package dev.escapement.endpoints.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.endpoints.Sample;
import dev.escapement.endpoints.store.Demand;
import dev.escapement.endpoints.store.FaultyEndpointStore;
import dev.escapement.endpoints.store.Run;
import dev.escapement.endpoints.worker.SimulatedReceiver.Hit;
import dev.escapement.governor.plan.FixedInterval;
import dev.escapement.storage.problem.UnexpectedStorageException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A turn in which the store fails costs nothing but time. */
class TroubledStoreTest implements FaultyEndpointStore.Hook, WorkerListener {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration LONG = Duration.ofSeconds(8);

    /** Half of the margin. */
    private static final Duration RENEWED_AFTER = Duration.ofSeconds(5);

    private final Set<String> failing = new HashSet<>();
    private boolean unreadable;
    private Runnable standsStillAfterClaim = () -> {};
    private final AtomicInteger leasesLost = new AtomicInteger();

    @Override
    public void before(String call) {
        if (failing.remove(call)) {
            throw new IllegalStateException(call + " is not answered");
        }
        if (unreadable && call.equals("get")) {
            throw new UnexpectedStorageException(
                    "it cannot be read", new IllegalArgumentException("no such time zone"));
        }
    }

    @Override
    public void after(String call) {
        if (call.equals("claim")) {
            Runnable stand = standsStillAfterClaim;
            standsStillAfterClaim = () -> {};
            stand.run();
        }
    }

    @Override
    public void leaseLost(int count) {
        leasesLost.addAndGet(count);
    }

    private LoopWorld withRoomFor(int concurrency) {
        return new LoopWorld(concurrency, concurrency, this, this);
    }

    /** A world in which calls take long. */
    private LoopWorld slow() {
        LoopWorld world = withRoomFor(100);
        world.behaviour = call -> SimulatedReceiver.well(LONG);
        return world;
    }

    private void failsOnce(LoopWorld world, String call) {
        failing.add(call);
        assertThatThrownBy(world.turns::turn).hasMessage(call + " is not answered");
    }

    /** All room is taken, and the worker knows that only a landing, or a minute, brings more. */
    private static void fill(LoopWorld world) {
        world.turns.turn();
        Instant next = world.turns.turn();
        assertThat(next).isAfter(world.clock.instant());
        assertThat(world.receiver.hits()).hasSize(1);
    }

    private static void land(LoopWorld world) {
        world.clock.moveTo(world.receiver.next().orElseThrow());
        world.receiver.land();
    }

    @ParameterizedTest
    @ValueSource(strings = {"record", "claim"})
    void roomThatWasFreedIsFilledThoughTheStoreFailedInThatTurn(String call) {
        LoopWorld world = withRoomFor(1);
        world.endpoints.create(Sample.every("first", HOUR));
        world.endpoints.create(Sample.every("second", HOUR));
        world.clock.advance(HOUR);
        fill(world);
        land(world);

        failsOnce(world, call);
        world.turns.turn();

        assertThat(world.receiver.hits()).hasSize(2);
    }

    @Test
    void whatIsDueSoonIsNotOverlookedThoughTheQuestionForItFailed() {
        LoopWorld world = withRoomFor(1);
        world.endpoints.create(Sample.every("first", HOUR));
        world.clock.advance(Duration.ofSeconds(3));
        world.endpoints.create(Sample.every("second", HOUR));
        Instant due = world.clock.instant().plus(HOUR);
        world.clock.advance(HOUR.minusSeconds(3));
        fill(world);
        land(world);

        failsOnce(world, "nextDue");

        assertThat(world.turns.turn()).isEqualTo(due);
    }

    @Test
    void aRenewalThatFailedIsTriedAgainInTheNextTurn() {
        LoopWorld world = slow();
        world.endpoints.create(Sample.every("health", HOUR));
        world.live(HOUR);
        assertThat(world.turns.inFlight()).isOne();
        Instant before = leaseEnd(world);
        world.clock.advance(RENEWED_AFTER);

        failsOnce(world, "renew");
        assertThat(leaseEnd(world)).isEqualTo(before);
        world.turns.turn();

        assertThat(leaseEnd(world)).isEqualTo(before.plus(RENEWED_AFTER));
    }

    @Test
    void leasesOfTheFirstClaimAreKeptThoughTheSecondClaimOfTheTurnFailed() {
        LoopWorld world = new LoopWorld(4, 1, this, this);
        for (int i = 0; i < 2; i++) {
            world.endpoints.create(Sample.of("busy" + i, "https://busy.example/" + i, new FixedInterval(HOUR)));
        }
        world.behaviour = call -> {
            // The host is full from here on, so the worker looks past it.
            failing.add("claim");
            return SimulatedReceiver.well(LONG);
        };
        world.clock.advance(HOUR);

        assertThatThrownBy(world.turns::turn).hasMessage("claim is not answered");
        assertThat(world.turns.inFlight()).isOne();

        assertThat(world.turns.turn()).isEqualTo(world.clock.instant().plus(RENEWED_AFTER));
    }

    /** The lease is for the timeout of ten seconds and a margin of ten. */
    @ParameterizedTest
    @CsvSource({"9999, true", "10000, false", "15000, false", "20000, false"})
    void aCallBeginsOnlyIfItsLeaseOutlastsIt(long stoodStill, boolean begins) {
        LoopWorld world = slow();
        world.endpoints.create(Sample.every("health", HOUR));
        world.clock.advance(HOUR);
        standsStillAfterClaim = () -> world.clock.advance(Duration.ofMillis(stoodStill));

        world.turns.turn();
        assertThat(world.receiver.hits()).hasSize(begins ? 1 : 0);
        world.live(Duration.ofSeconds(10));

        assertThat(world.runs("health")).extracting(Run::attempt).containsExactly(begins ? 1 : 2);
    }

    private static Instant leaseEnd(LoopWorld world) {
        return world.store.named("health").orElseThrow().lease().orElseThrow().until();
    }

    @Test
    void aLeaseThatIsLostIsCountedByTheFirstRenewalOnly() {
        LoopWorld world = slow();
        world.endpoints.create(Sample.every("health", HOUR));
        world.live(HOUR);
        assertThat(world.turns.inFlight()).isOne();
        // The process stands still until somebody else has it.
        world.clock.moveTo(leaseEnd(world));
        assertThat(world.store.claim(new Demand("other", "theirs", 1, 1, Map.of(), HOUR)))
                .hasSize(1);

        for (int renewals = 0; renewals < 3; renewals++) {
            world.turns.turn();
            assertThat(leasesLost).hasValue(1);
            world.clock.advance(RENEWED_AFTER);
        }
    }

    @Test
    void resultsAreKeptWhenTheyCannotBeSeenAnewAndAreRecordedLater() {
        LoopWorld world = slow();
        world.endpoints.create(Sample.every("one", HOUR));
        world.endpoints.create(Sample.every("other", HOUR));
        world.live(HOUR);
        // Somebody changes both while they are called: their results must be planned from what they are now.
        world.endpoints.resetFailures("one");
        world.endpoints.resetFailures("other");
        land(world);

        failsOnce(world, "get");
        assertThat(world.turns.unrecorded()).isEqualTo(2);
        world.live(Duration.ofSeconds(1));

        assertThat(world.turns.unrecorded()).isZero();
        assertThat(world.runs("one")).extracting(Run::attempt).containsExactly(1);
        assertThat(world.runs("other")).extracting(Run::attempt).containsExactly(1);
        assertThat(leasesLost).hasValue(0);
    }

    @Test
    void aResultWhoseEndpointCannotBeReadAnyMoreHoldsUpNobody() {
        LoopWorld world = slow();
        world.endpoints.create(Sample.every("changed", HOUR));
        world.live(HOUR);
        // By a newer version, for example, which knows what this one does not.
        world.endpoints.resetFailures("changed");
        unreadable = true;
        world.endpoints.create(Sample.every("other", Duration.ofSeconds(10)));
        land(world);

        world.live(Duration.ofSeconds(5));

        assertThat(world.receiver.hits()).extracting(Hit::url).contains("https://other.example/");
        assertThat(world.turns.unrecorded()).isZero();
        assertThat(leasesLost).hasValue(1);
    }

    @Test
    void whatWasRecordedRunsInTimeThoughItsNeighbourCouldNotBeSeenAnew() {
        LoopWorld world = slow();
        Instant created = world.clock.instant();
        world.endpoints.create(Sample.every("often", Duration.ofSeconds(10)));
        world.endpoints.create(Sample.every("rarely", HOUR));
        world.clock.advance(Duration.ofSeconds(9));
        world.endpoints.runNow("rarely", "ada", "beside the other");
        world.clock.advance(Duration.ofSeconds(1));
        world.turns.turn();
        assertThat(world.turns.inFlight()).isEqualTo(2);
        world.endpoints.resetFailures("rarely");
        world.turns.turn();
        land(world);

        failsOnce(world, "get");
        world.live(Duration.ofSeconds(5));

        assertThat(world.receiver.hits())
                .filteredOn(hit -> hit.url().contains("often"))
                .extracting(Hit::at)
                .containsExactly(created.plusSeconds(10), created.plusSeconds(20));
    }
}
