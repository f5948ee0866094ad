package dev.escapement.endpoints.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.endpoints.model.FinishedRun;
import dev.escapement.endpoints.model.SampleEndpoints;
import dev.escapement.endpoints.store.EndpointStore.ClaimRequest;
import dev.escapement.endpoints.store.FaultyEndpointStore;
import dev.escapement.endpoints.worker.EndpointWorker.EndpointWorkerListener;
import dev.escapement.endpoints.worker.SimulatedReceiver.ReceivedCall;
import dev.escapement.governor.plan.FixedInterval;
import dev.escapement.storage.problem.StorageException.UnexpectedStorageException;
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

/** Tests that failures of the store delay runs, but lose none. */
class SchedulerLoopStoreFailureTest implements FaultyEndpointStore.Hook, EndpointWorkerListener {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration SLOW_CALL = Duration.ofSeconds(8);

    /** Half of the lease margin. */
    private static final Duration RENEWAL_INTERVAL = Duration.ofSeconds(5);

    private final Set<String> failingMethods = new HashSet<>();
    private boolean endpointUnreadable;
    private Runnable afterNextClaim = () -> {};
    private final AtomicInteger lostLeaseCount = new AtomicInteger();

    @Override
    public void before(String call) {
        if (failingMethods.remove(call)) {
            throw new IllegalStateException(call + " is not answered");
        }
        if (endpointUnreadable && call.equals("get")) {
            throw new UnexpectedStorageException(
                    "it cannot be read", new IllegalArgumentException("no such time zone"));
        }
    }

    @Override
    public void after(String call) {
        if (call.equals("claim")) {
            Runnable stand = afterNextClaim;
            afterNextClaim = () -> {};
            stand.run();
        }
    }

    @Override
    public void onLeaseLost(int count) {
        lostLeaseCount.addAndGet(count);
    }

    private SchedulerLoopFixture fixtureWithConcurrency(int concurrency) {
        return new SchedulerLoopFixture(concurrency, concurrency, this, this);
    }

    /** Creates a fixture with slow calls. */
    private SchedulerLoopFixture fixtureWithSlowCalls() {
        SchedulerLoopFixture world = fixtureWithConcurrency(100);
        world.behaviour = call -> SimulatedReceiver.succeedAfter(SLOW_CALL);
        return world;
    }

    private void failNextCall(SchedulerLoopFixture world, String call) {
        failingMethods.add(call);
        assertThatThrownBy(world.loop::runOnce).hasMessage(call + " is not answered");
    }

    /** All capacity is in use, so the worker waits for the end of a call or its poll interval. */
    private static void fillCapacity(SchedulerLoopFixture world) {
        world.loop.runOnce();
        Instant next = world.loop.runOnce();
        assertThat(next).isAfter(world.clock.instant());
        assertThat(world.receiver.receivedCalls()).hasSize(1);
    }

    private static void finishNextCall(SchedulerLoopFixture world) {
        world.clock.moveTo(world.receiver.nextEndAt().orElseThrow());
        world.receiver.finishDueCalls();
    }

    @ParameterizedTest
    @ValueSource(strings = {"record", "claim"})
    void fillsFreedCapacityAfterStoreFailure(String call) {
        SchedulerLoopFixture world = fixtureWithConcurrency(1);
        world.service.create(SampleEndpoints.withInterval("first", HOUR));
        world.service.create(SampleEndpoints.withInterval("second", HOUR));
        world.clock.advance(HOUR);
        fillCapacity(world);
        finishNextCall(world);

        failNextCall(world, call);
        world.loop.runOnce();

        assertThat(world.receiver.receivedCalls()).hasSize(2);
    }

    @Test
    void findsNextDueTimeAfterFailedQuery() {
        SchedulerLoopFixture world = fixtureWithConcurrency(1);
        world.service.create(SampleEndpoints.withInterval("first", HOUR));
        world.clock.advance(Duration.ofSeconds(3));
        world.service.create(SampleEndpoints.withInterval("second", HOUR));
        Instant due = world.clock.instant().plus(HOUR);
        world.clock.advance(HOUR.minusSeconds(3));
        fillCapacity(world);
        finishNextCall(world);

        failNextCall(world, "nextDue");

        assertThat(world.loop.runOnce()).isEqualTo(due);
    }

    @Test
    void retriesFailedLeaseRenewal() {
        SchedulerLoopFixture world = fixtureWithSlowCalls();
        world.service.create(SampleEndpoints.withInterval("health", HOUR));
        world.runFor(HOUR);
        assertThat(world.loop.inFlightCount()).isOne();
        Instant before = leaseExpiry(world);
        world.clock.advance(RENEWAL_INTERVAL);

        failNextCall(world, "renew");
        assertThat(leaseExpiry(world)).isEqualTo(before);
        world.loop.runOnce();

        assertThat(leaseExpiry(world)).isEqualTo(before.plus(RENEWAL_INTERVAL));
    }

    @Test
    void renewsLeasesOfFirstClaimWhenSecondClaimFails() {
        SchedulerLoopFixture world = new SchedulerLoopFixture(4, 1, this, this);
        for (int i = 0; i < 2; i++) {
            world.service.create(SampleEndpoints.of("busy" + i, "https://busy.example/" + i, new FixedInterval(HOUR)));
        }
        world.behaviour = call -> {
            // The host is full from here on, so the worker claims endpoints of others.
            failingMethods.add("claim");
            return SimulatedReceiver.succeedAfter(SLOW_CALL);
        };
        world.clock.advance(HOUR);

        assertThatThrownBy(world.loop::runOnce).hasMessage("claim is not answered");
        assertThat(world.loop.inFlightCount()).isOne();

        assertThat(world.loop.runOnce()).isEqualTo(world.clock.instant().plus(RENEWAL_INTERVAL));
    }

    /** The lease is for the timeout of ten seconds and a margin of ten. */
    @ParameterizedTest
    @CsvSource({"9999, true", "10000, false", "15000, false", "20000, false"})
    void startsCallOnlyIfLeaseOutlastsTimeout(long stoodStill, boolean begins) {
        SchedulerLoopFixture world = fixtureWithSlowCalls();
        world.service.create(SampleEndpoints.withInterval("health", HOUR));
        world.clock.advance(HOUR);
        afterNextClaim = () -> world.clock.advance(Duration.ofMillis(stoodStill));

        world.loop.runOnce();
        assertThat(world.receiver.receivedCalls()).hasSize(begins ? 1 : 0);
        world.runFor(Duration.ofSeconds(10));

        assertThat(world.runsOf("health")).extracting(FinishedRun::attempt).containsExactly(begins ? 1 : 2);
    }

    private static Instant leaseExpiry(SchedulerLoopFixture world) {
        return world.store
                .findByName("health")
                .orElseThrow()
                .lease()
                .orElseThrow()
                .expiresAt();
    }

    @Test
    void reportsLostLeaseOnce() {
        SchedulerLoopFixture world = fixtureWithSlowCalls();
        world.service.create(SampleEndpoints.withInterval("health", HOUR));
        world.runFor(HOUR);
        assertThat(world.loop.inFlightCount()).isOne();
        // The process stalls until another worker has claimed the endpoint.
        world.clock.moveTo(leaseExpiry(world));
        assertThat(world.store.claim(new ClaimRequest("other", "theirs", 1, 1, Map.of(), HOUR)))
                .hasSize(1);

        for (int renewals = 0; renewals < 3; renewals++) {
            world.loop.runOnce();
            assertThat(lostLeaseCount).hasValue(1);
            world.clock.advance(RENEWAL_INTERVAL);
        }
    }

    @Test
    void keepsResultsUntilChangedEndpointCanBeRead() {
        SchedulerLoopFixture world = fixtureWithSlowCalls();
        world.service.create(SampleEndpoints.withInterval("one", HOUR));
        world.service.create(SampleEndpoints.withInterval("other", HOUR));
        world.runFor(HOUR);
        // Both are changed during their calls, so their results must be replanned.
        world.service.resetFailures("one");
        world.service.resetFailures("other");
        finishNextCall(world);

        failNextCall(world, "get");
        assertThat(world.loop.unrecordedCount()).isEqualTo(2);
        world.runFor(Duration.ofSeconds(1));

        assertThat(world.loop.unrecordedCount()).isZero();
        assertThat(world.runsOf("one")).extracting(FinishedRun::attempt).containsExactly(1);
        assertThat(world.runsOf("other")).extracting(FinishedRun::attempt).containsExactly(1);
        assertThat(lostLeaseCount).hasValue(0);
    }

    @Test
    void dropsResultOfUnreadableEndpointWithoutDelayingOthers() {
        SchedulerLoopFixture world = fixtureWithSlowCalls();
        world.service.create(SampleEndpoints.withInterval("changed", HOUR));
        world.runFor(HOUR);
        // For example stored by a newer version.
        world.service.resetFailures("changed");
        endpointUnreadable = true;
        world.service.create(SampleEndpoints.withInterval("other", Duration.ofSeconds(10)));
        finishNextCall(world);

        world.runFor(Duration.ofSeconds(5));

        assertThat(world.receiver.receivedCalls()).extracting(ReceivedCall::url).contains("https://other.example/");
        assertThat(world.loop.unrecordedCount()).isZero();
        assertThat(lostLeaseCount).hasValue(1);
    }

    @Test
    void schedulesRecordedEndpointWhenAnotherCannotBeRead() {
        SchedulerLoopFixture world = fixtureWithSlowCalls();
        Instant created = world.clock.instant();
        world.service.create(SampleEndpoints.withInterval("often", Duration.ofSeconds(10)));
        world.service.create(SampleEndpoints.withInterval("rarely", HOUR));
        world.clock.advance(Duration.ofSeconds(9));
        world.service.runNow("rarely", "ada", "beside the other");
        world.clock.advance(Duration.ofSeconds(1));
        world.loop.runOnce();
        assertThat(world.loop.inFlightCount()).isEqualTo(2);
        world.service.resetFailures("rarely");
        world.loop.runOnce();
        finishNextCall(world);

        failNextCall(world, "get");
        world.runFor(Duration.ofSeconds(5));

        assertThat(world.receiver.receivedCalls())
                .filteredOn(hit -> hit.url().contains("often"))
                .extracting(ReceivedCall::receivedAt)
                .containsExactly(created.plusSeconds(10), created.plusSeconds(20));
    }
}
