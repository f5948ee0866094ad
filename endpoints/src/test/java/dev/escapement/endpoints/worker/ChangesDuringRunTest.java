package dev.escapement.endpoints.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.escapement.api.endpoint.Endpoint.AttributedTime;
import dev.escapement.api.endpoint.EndpointStatus;
import dev.escapement.endpoints.model.EndpointDefinition;
import dev.escapement.endpoints.model.EndpointDefinition.DesiredEndpoint;
import dev.escapement.endpoints.model.EndpointOverrides.EndpointPause;
import dev.escapement.endpoints.model.EndpointStatusMapper;
import dev.escapement.endpoints.model.FinishedRun;
import dev.escapement.endpoints.model.SampleEndpoints;
import dev.escapement.endpoints.model.StoredEndpoint;
import dev.escapement.endpoints.schedule.EndpointPlanner;
import dev.escapement.endpoints.store.EndpointStore.ClaimRequest;
import dev.escapement.endpoints.worker.SimulatedReceiver.ReceivedCall;
import dev.escapement.governor.plan.FixedInterval;
import dev.escapement.governor.plan.Hint.IntervalHint;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests changes by users while endpoints run. */
class ChangesDuringRunTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final SchedulerLoopFixture fixture = new SchedulerLoopFixture();

    @Test
    void runNowAndResetDuringCallTakeEffectAfterIt() {
        fixture.service.create(SampleEndpoints.withInterval("health", Duration.ofMinutes(5)));
        fixture.behaviour = call -> SimulatedReceiver.failAfter(Duration.ofSeconds(8));
        fixture.runFor(Duration.ofSeconds(302));
        assertThat(fixture.loop.inFlightCount()).isOne();

        fixture.service.runNow("health", "ada", "again");
        fixture.service.resetFailures("health");
        fixture.runFor(Duration.ofSeconds(10));

        List<ReceivedCall> hits = fixture.receiver.receivedCalls();
        assertThat(hits).hasSize(2);
        assertThat(Duration.between(hits.get(0).receivedAt(), hits.get(1).receivedAt())
                        .toSeconds())
                .isEqualTo(8);
        assertThat(fixture.runsOf("health").get(0).failuresAfter()).isOne();
    }

    @Test
    void pauseDuringCallTakesEffectAfterIt() {
        fixture.service.create(SampleEndpoints.withInterval("health", Duration.ofSeconds(10)));
        fixture.behaviour = call -> SimulatedReceiver.succeedAfter(Duration.ofSeconds(8));
        fixture.runFor(Duration.ofSeconds(12));
        fixture.service.pause(
                "health", new EndpointPause(fixture.clock.instant().plusSeconds(1000), "", ""));
        fixture.runFor(Duration.ofMinutes(15));
        assertThat(fixture.receiver.receivedCalls()).hasSize(1);

        fixture.service.resume("health");
        fixture.runFor(Duration.ofSeconds(11));
        assertThat(fixture.receiver.receivedCalls()).hasSize(2);
    }

    @Test
    void showsAuthorAndReasonOfPause() {
        fixture.service.create(SampleEndpoints.withInterval("health", Duration.ofSeconds(10)));
        Instant until = fixture.clock.instant().plusSeconds(1000);
        fixture.service.pause("health", new EndpointPause(until, "ada", "new cables"));

        StoredEndpoint stored = fixture.store.findByName("health").orElseThrow();
        assertThat(stored.endpoint().nextRun().planJson())
                .contains("Runs next at " + until + ": pause (until then, by ada: new cables).");
        assertThat(shownStatus(stored).pause())
                .isEqualTo(new AttributedTime(null, until.toString(), "ada", "new cables", Map.of()));
        assertThatThrownBy(() -> fixture.service.runNow("health", "bob", "now"))
                .hasMessageContaining("is paused until " + until + ", by ada: new cables.");

        // Another change, or the same pause in a document, keeps the author of the pause.
        DesiredEndpoint same = SampleEndpoints.withInterval("health", Duration.ofSeconds(20));
        fixture.service.update("health", seen -> new DesiredEndpoint(same.definition(), Optional.of(until)));
        assertThat(fixture.store
                        .findByName("health")
                        .orElseThrow()
                        .endpoint()
                        .overrides()
                        .pause())
                .contains(new EndpointPause(until, "ada", "new cables"));
        fixture.runFor(Duration.ofSeconds(1010));
        assertThat(shownStatus(fixture.store.findByName("health").orElseThrow()).pause())
                .isNull();
    }

    private EndpointStatus shownStatus(StoredEndpoint stored) {
        return EndpointStatusMapper.toStatus(stored, fixture.clock.instant(), Optional.empty());
    }

    @Test
    void updateDuringCallIsStoredAtOnceAndTakesEffectAfterIt() {
        fixture.service.create(SampleEndpoints.withInterval("health", Duration.ofMinutes(5)));
        fixture.behaviour = call -> SimulatedReceiver.succeedAfter(Duration.ofSeconds(8));
        fixture.runFor(Duration.ofSeconds(302));
        assertThat(fixture.loop.inFlightCount()).isOne();
        Instant changed = fixture.clock.instant();
        DesiredEndpoint other =
                SampleEndpoints.of("health", "https://other.example/", new FixedInterval(Duration.ofSeconds(10)));
        fixture.service.update("health", seen -> other);
        assertThat(fixture.store.findByName("health").orElseThrow().endpoint().definition())
                .isEqualTo(other.definition());

        fixture.runFor(Duration.ofSeconds(25));

        assertThat(fixture.runsOf("health").get(0).slot()).isEqualTo(changed.minusSeconds(2));
        assertThat(fixture.receiver.receivedCalls())
                .extracting(ReceivedCall::url, ReceivedCall::receivedAt)
                .containsExactly(
                        tuple("https://health.example/", changed.minusSeconds(2)),
                        tuple("https://other.example/", changed.plusSeconds(10)),
                        tuple("https://other.example/", changed.plusSeconds(20)));
    }

    @Test
    void archivedEndpointFinishesCurrentCallAndStops() {
        fixture.service.create(SampleEndpoints.withInterval("health", Duration.ofSeconds(10)));
        fixture.behaviour = call -> SimulatedReceiver.succeedAfter(Duration.ofSeconds(8));
        fixture.runFor(Duration.ofSeconds(12));
        String id = fixture.store.findByName("health").orElseThrow().endpoint().id();
        fixture.service.archive("health");
        fixture.runFor(Duration.ofHours(1));

        assertThat(fixture.receiver.receivedCalls()).hasSize(1);
        assertThat(fixture.store.getRun(id, 1)).isPresent();
        assertThat(fixture.store.findByName("health")).isEmpty();
    }

    @Test
    void runNowIgnoresClampsAndBackoff() {
        DesiredEndpoint wanted = SampleEndpoints.withInterval("health", Duration.ofMinutes(5));
        fixture.service.create(withMinInterval(wanted, Duration.ofMinutes(5)));
        fixture.service.runNow("health", "ada", "now");
        fixture.runFor(SECOND);

        assertThat(fixture.receiver.receivedCalls()).hasSize(1);
        assertThat(fixture.runsOf("health").get(0).source()).isEqualTo(EndpointPlanner.RUN_NOW);
        fixture.runFor(Duration.ofSeconds(200));
        assertThat(fixture.receiver.receivedCalls()).describedAs("once").hasSize(1);
    }

    private static DesiredEndpoint withMinInterval(DesiredEndpoint wanted, Duration min) {
        var old = wanted.definition();
        return new DesiredEndpoint(
                new EndpointDefinition(
                        old.name(),
                        old.description(),
                        old.call(),
                        old.baseline(),
                        Optional.of(min),
                        old.maxInterval(),
                        old.remediation()),
                wanted.pausedUntil());
    }

    @Test
    void dueRunKeepsItsSlotWhenEndpointIsChanged() {
        fixture.service.create(SampleEndpoints.withCron("nightly", "0 3 * * *", "UTC"));
        fixture.clock.advance(Duration.ofHours(4));
        fixture.service.addHint(
                "nightly", now -> new IntervalHint(Duration.ofDays(2), now, now.plusSeconds(60), "ada", "less"));
        fixture.runFor(SECOND);

        assertThat(fixture.runsOf("nightly"))
                .extracting(FinishedRun::slot)
                .containsExactly(Instant.parse("2026-11-16T03:00:00Z"));
    }

    @Test
    void attemptedRunKeepsSlotAndKeyWhenEndpointIsChanged() {
        fixture.service.create(SampleEndpoints.withInterval("health", Duration.ofMinutes(5)));
        fixture.clock.advance(Duration.ofMinutes(5));
        // A worker claims, calls and crashes.
        String key = fixture.store
                .claim(new ClaimRequest("dead", "its", 1, 1, Map.of(), SECOND))
                .get(0)
                .endpoint()
                .runId();
        fixture.clock.advance(Duration.ofMinutes(1));
        fixture.service.resetFailures("health");
        fixture.runFor(SECOND);

        assertThat(fixture.receiver.receivedCalls())
                .extracting(ReceivedCall::key)
                .containsExactly(key);
        assertThat(fixture.runsOf("health")).extracting(FinishedRun::attempt).containsExactly(2);
        assertThat(fixture.runsOf("health"))
                .extracting(FinishedRun::slot)
                .containsExactly(Instant.parse("2026-11-16T00:05:00Z"));
    }

    @Test
    void abortedAndPausedRunDoesNotPassItsKeyToNextRun() {
        fixture.service.create(SampleEndpoints.withInterval("health", Duration.ofMinutes(5)));
        fixture.behaviour = call -> SimulatedReceiver.succeedAfter(Duration.ofSeconds(8));
        fixture.runFor(Duration.ofMinutes(5));
        Instant slot = fixture.clock.instant();
        // The worker is stopped, and its grace period ends before the response.
        fixture.receiver.close();
        fixture.loop.stopClaiming();
        fixture.loop.runOnce();
        assertThat(fixture.loop.inFlightCount()).isZero();
        fixture.service.pause(
                "health", new EndpointPause(fixture.clock.instant().plusSeconds(60), "", ""));

        fixture.restartWorker();
        fixture.runFor(Duration.ofMinutes(6));

        List<ReceivedCall> hits = fixture.receiver.receivedCalls();
        assertThat(hits).extracting(ReceivedCall::key).containsExactly("e1-1", "e1-2", "e1-3");
        assertThat(fixture.runsOf("health").get(0).slot()).isEqualTo(slot);
        assertThat(fixture.runsOf("health").get(0).callResult().error()).contains("paused before it was repeated");
    }

    @Test
    void abandonsPausedRunWithoutCountingFailure() {
        fixture.service.create(SampleEndpoints.withInterval("health", Duration.ofMinutes(5)));
        fixture.clock.advance(Duration.ofMinutes(5));
        fixture.store.claim(new ClaimRequest("dead", "its", 1, 1, Map.of(), SECOND));
        fixture.service.pause(
                "health", new EndpointPause(fixture.clock.instant().plusSeconds(3600), "", ""));
        fixture.runFor(Duration.ofMinutes(10));

        assertThat(fixture.receiver.receivedCalls()).isEmpty();
        assertThat(fixture.runsOf("health")).singleElement().satisfies(run -> {
            assertThat(run.callResult().error()).contains("paused before it was repeated");
            assertThat(run.failuresAfter()).isZero();
        });
    }
}
