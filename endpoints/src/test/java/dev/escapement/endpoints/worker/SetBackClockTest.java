package dev.escapement.endpoints.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.endpoints.model.EndpointDefinition.DesiredEndpoint;
import dev.escapement.endpoints.model.EndpointOverrides.EndpointPause;
import dev.escapement.endpoints.model.SampleEndpoints;
import dev.escapement.endpoints.model.ScheduledEndpoint;
import dev.escapement.endpoints.schedule.SetBackClockRepair;
import dev.escapement.endpoints.store.FaultyEndpointStore;
import dev.escapement.governor.plan.CronExpression;
import dev.escapement.governor.plan.Hint.OneShotHint;
import dev.escapement.storage.problem.StorageException.StorageUnavailableException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

/** A clock that goes forward a day and back again: no endpoint is silent until tomorrow. */
class SetBackClockTest {

    private static final Duration DAY = Duration.ofDays(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final SchedulerLoopFixture fixture = new SchedulerLoopFixture();
    private final SetBackClockRepair repair = new SetBackClockRepair(fixture.store, fixture.planner);

    private void create(DesiredEndpoint endpoint) {
        fixture.service.create(endpoint);
        assertThat(repair.repairIfSetBack()).isZero();
    }

    /** Lets the endpoints run on tomorrow's clock, then sets it back. */
    private void runTomorrowAndReturn() {
        fixture.clock.advance(DAY);
        fixture.runFor(MINUTE.multipliedBy(3).plusSeconds(30));
        fixture.clock.advance(DAY.negated());
        fixture.store.reportClockSetBack();
    }

    private ScheduledEndpoint endpoint() {
        return fixture.store.findByName("health").orElseThrow().endpoint();
    }

    private Duration untilNextRun() {
        return Duration.between(
                fixture.clock.instant(), endpoint().nextRun().at().orElseThrow());
    }

    @Test
    void healthyIntervalRunsWithinItsInterval() {
        create(SampleEndpoints.withInterval("health", MINUTE));
        runTomorrowAndReturn();
        assertThat(untilNextRun()).isGreaterThan(Duration.ofHours(23));

        assertThat(repair.repairIfSetBack()).isEqualTo(1);

        assertThat(untilNextRun()).isPositive().isLessThanOrEqualTo(MINUTE);
        int before = fixture.receiver.receivedCalls().size();
        fixture.restartWorker();
        fixture.runFor(Duration.ofMinutes(5));
        assertThat(fixture.receiver.receivedCalls().size() - before).isEqualTo(5);
        assertThat(repair.repairIfSetBack()).isZero();
    }

    @Test
    void failingIntervalKeepsItsBackoffFromNow() {
        create(SampleEndpoints.withInterval("health", MINUTE));
        fixture.behaviour = call -> SimulatedReceiver.failAfter(Duration.ofSeconds(1));
        runTomorrowAndReturn();
        int failures = endpoint().history().failures();
        assertThat(failures).isPositive();

        assertThat(repair.repairIfSetBack()).isEqualTo(1);

        assertThat(endpoint().history().failures()).isEqualTo(failures);
        assertThat(untilNextRun()).isBetween(MINUTE, MINUTE.multipliedBy(1L << failures));
    }

    @Test
    void cronRunsAtItsNextTime() {
        create(SampleEndpoints.of(
                "health", "https://api.example/health", CronExpression.of("*/5 * * * *", ZoneOffset.UTC)));
        fixture.clock.advance(DAY);
        fixture.runFor(Duration.ofMinutes(11));
        fixture.clock.advance(DAY.negated());
        fixture.store.reportClockSetBack();

        assertThat(repair.repairIfSetBack()).isEqualTo(1);

        assertThat(untilNextRun()).isPositive().isLessThanOrEqualTo(Duration.ofMinutes(5));
    }

    @Test
    void hintsAndRequestsAreNotTakenForFulfilledByTomorrowsRun() {
        create(SampleEndpoints.withInterval("health", Duration.ofHours(2)));
        fixture.clock.advance(DAY);
        fixture.runFor(Duration.ofHours(3));
        fixture.clock.advance(DAY.negated());
        fixture.store.reportClockSetBack();
        repair.repairIfSetBack();
        fixture.restartWorker();

        int before = fixture.receiver.receivedCalls().size();
        fixture.service.addHint("health", now -> new OneShotHint(now, now, now.plusSeconds(600), "ada", "once"));
        fixture.runFor(MINUTE);
        assertThat(fixture.receiver.receivedCalls().size() - before).isEqualTo(1);
        fixture.service.runNow("health", "ada", "now");
        fixture.runFor(MINUTE);
        assertThat(fixture.receiver.receivedCalls().size() - before).isEqualTo(2);
    }

    @Test
    void leavesPausesAndFarPlansAlone() {
        create(SampleEndpoints.withInterval("health", MINUTE));
        Instant end = fixture.clock.instant().plus(Duration.ofDays(10));
        fixture.service.pause("health", new EndpointPause(end, "ada", "holiday"));
        fixture.service.create(SampleEndpoints.withInterval("monthly", Duration.ofDays(30)));
        fixture.store.reportClockSetBack();

        assertThat(repair.repairIfSetBack()).isZero();

        assertThat(endpoint().nextRun().at()).contains(end);
    }

    @Test
    void looksAgainAfterAFailure() {
        create(SampleEndpoints.withInterval("health", MINUTE));
        runTomorrowAndReturn();
        boolean[] broken = {true};
        var faults = new FaultyEndpointStore.Hook() {
            @Override
            public void before(String call) {
                if (broken[0] && call.equals("apply")) {
                    throw new StorageUnavailableException("no response", new SQLException());
                }
            }
        };
        var faulty = new SetBackClockRepair(FaultyEndpointStore.wrap(fixture.store, faults), fixture.planner);
        assertThatThrownBy(faulty::repairIfSetBack).isInstanceOf(StorageUnavailableException.class);
        broken[0] = false;
        assertThat(faulty.repairIfSetBack()).isEqualTo(1);
        assertThat(untilNextRun()).isLessThanOrEqualTo(MINUTE);
    }
}
