package dev.escapement.endpoints.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.escapement.endpoints.Definition;
import dev.escapement.endpoints.EndpointDocument.Wanted;
import dev.escapement.endpoints.EndpointView;
import dev.escapement.endpoints.Pause;
import dev.escapement.endpoints.Planning;
import dev.escapement.endpoints.Sample;
import dev.escapement.endpoints.store.Demand;
import dev.escapement.endpoints.store.Run;
import dev.escapement.endpoints.store.Stored;
import dev.escapement.endpoints.worker.SimulatedReceiver.Hit;
import dev.escapement.governor.plan.FixedInterval;
import dev.escapement.governor.plan.IntervalHint;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What people ask while endpoints run, under a virtual clock. */
class WishesTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final LoopWorld world = new LoopWorld();

    @Test
    void whatPeopleAskWhileACallHangsActsWhenItEnds() {
        world.endpoints.create(Sample.every("health", Duration.ofMinutes(5)));
        world.behaviour = call -> SimulatedReceiver.badly(Duration.ofSeconds(8));
        world.live(Duration.ofSeconds(302));
        assertThat(world.turns.inFlight()).isOne();

        world.endpoints.runNow("health", "ada", "again");
        world.endpoints.resetFailures("health");
        world.live(Duration.ofSeconds(10));

        List<Hit> hits = world.receiver.hits();
        assertThat(hits).hasSize(2);
        assertThat(Duration.between(hits.get(0).at(), hits.get(1).at()).toSeconds())
                .isEqualTo(8);
        assertThat(world.runs("health").get(0).failuresAfter()).isOne();
    }

    @Test
    void aPauseWhileACallHangsHoldsAfterIt() {
        world.endpoints.create(Sample.every("health", Duration.ofSeconds(10)));
        world.behaviour = call -> SimulatedReceiver.well(Duration.ofSeconds(8));
        world.live(Duration.ofSeconds(12));
        world.endpoints.pause("health", Pause.until(world.clock.instant().plusSeconds(1000)));
        world.live(Duration.ofMinutes(15));
        assertThat(world.receiver.hits()).hasSize(1);

        world.endpoints.resume("health");
        world.live(Duration.ofSeconds(11));
        assertThat(world.receiver.hits()).hasSize(2);
    }

    @Test
    void whoPausedItAndWhyIsToldWhereverThePauseIs() {
        world.endpoints.create(Sample.every("health", Duration.ofSeconds(10)));
        Instant until = world.clock.instant().plusSeconds(1000);
        world.endpoints.pause("health", new Pause(until, "ada", "new cables"));

        Stored stored = world.store.named("health").orElseThrow();
        assertThat(stored.endpoint().planned().story())
                .contains("Runs next at " + until + ": pause (until then, by ada: new cables).");
        assertThat(status(stored).get("pause"))
                .isEqualTo(Map.of("until", until.toString(), "by", "ada", "reason", "new cables"));
        assertThatThrownBy(() -> world.endpoints.runNow("health", "bob", "now"))
                .hasMessageContaining("is paused until " + until + ", by ada: new cables.");

        // Who changes something else, or brings the same pause in a file, does not make it theirs.
        Wanted same = Sample.every("health", Duration.ofSeconds(20));
        world.endpoints.change("health", seen -> new Wanted(same.definition(), Optional.of(until)));
        assertThat(world.store
                        .named("health")
                        .orElseThrow()
                        .endpoint()
                        .steering()
                        .pause())
                .contains(new Pause(until, "ada", "new cables"));
        world.live(Duration.ofSeconds(1010));
        assertThat(status(world.store.named("health").orElseThrow()).containsKey("pause"))
                .isFalse();
    }

    private Map<?, ?> status(Stored stored) {
        return (Map<?, ?>) Objects.requireNonNull(
                EndpointView.write(stored, world.clock.instant()).get("status"));
    }

    @Test
    void aChangeWhileACallHangsIsStoredAtOnceAndActsWhenItEnds() {
        world.endpoints.create(Sample.every("health", Duration.ofMinutes(5)));
        world.behaviour = call -> SimulatedReceiver.well(Duration.ofSeconds(8));
        world.live(Duration.ofSeconds(302));
        assertThat(world.turns.inFlight()).isOne();
        Instant changed = world.clock.instant();
        Wanted other = Sample.of("health", "https://other.example/", new FixedInterval(Duration.ofSeconds(10)));
        world.endpoints.change("health", seen -> other);
        assertThat(world.store.named("health").orElseThrow().endpoint().definition())
                .isEqualTo(other.definition());

        world.live(Duration.ofSeconds(25));

        assertThat(world.runs("health").get(0).slot()).isEqualTo(changed.minusSeconds(2));
        assertThat(world.receiver.hits())
                .extracting(Hit::url, Hit::at)
                .containsExactly(
                        tuple("https://health.example/", changed.minusSeconds(2)),
                        tuple("https://other.example/", changed.plusSeconds(10)),
                        tuple("https://other.example/", changed.plusSeconds(20)));
    }

    @Test
    void anArchivedEndpointEndsWithTheCallThatIsGoingOn() {
        world.endpoints.create(Sample.every("health", Duration.ofSeconds(10)));
        world.behaviour = call -> SimulatedReceiver.well(Duration.ofSeconds(8));
        world.live(Duration.ofSeconds(12));
        String id = world.store.named("health").orElseThrow().endpoint().id();
        world.endpoints.archive("health");
        world.live(Duration.ofHours(1));

        assertThat(world.receiver.hits()).hasSize(1);
        assertThat(world.store.run(id, 1)).isPresent();
        assertThat(world.store.named("health")).isEmpty();
    }

    @Test
    void runNowIsNotHeldBackByClampsOrBackoff() {
        Wanted wanted = Sample.every("health", Duration.ofMinutes(5));
        world.endpoints.create(clamped(wanted, Duration.ofMinutes(5)));
        world.endpoints.runNow("health", "ada", "now");
        world.live(SECOND);

        assertThat(world.receiver.hits()).hasSize(1);
        assertThat(world.runs("health").get(0).source()).isEqualTo(Planning.RUN_NOW);
        world.live(Duration.ofSeconds(200));
        assertThat(world.receiver.hits()).describedAs("once").hasSize(1);
    }

    private static Wanted clamped(Wanted wanted, Duration min) {
        var old = wanted.definition();
        return new Wanted(
                new Definition(
                        old.name(),
                        old.description(),
                        old.url(),
                        old.method(),
                        old.headers(),
                        old.body(),
                        old.timeout(),
                        old.signingKey(),
                        old.baseline(),
                        Optional.of(min),
                        old.maxInterval(),
                        old.remediation()),
                wanted.pausedUntil());
    }

    @Test
    void whatIsDueIsCalledThoughSomebodyChangesTheEndpointBeforeAnybodyCame() {
        world.endpoints.create(Sample.cron("nightly", "0 3 * * *", "UTC"));
        world.clock.advance(Duration.ofHours(4));
        world.endpoints.hint(
                "nightly", now -> new IntervalHint(Duration.ofDays(2), now, now.plusSeconds(60), "ada", "less"));
        world.live(SECOND);

        assertThat(world.runs("nightly")).extracting(Run::slot).containsExactly(Instant.parse("2026-11-16T03:00:00Z"));
    }

    @Test
    void anOccurrenceThatWasBegunKeepsItsSlotAndItsKeyWhateverIsChanged() {
        world.endpoints.create(Sample.every("health", Duration.ofMinutes(5)));
        world.clock.advance(Duration.ofMinutes(5));
        // A worker that claims, calls and dies.
        String key = world.store
                .claim(new Demand("dead", "its", 1, 1, Map.of(), SECOND))
                .get(0)
                .endpoint()
                .occurrence();
        world.clock.advance(Duration.ofMinutes(1));
        world.endpoints.resetFailures("health");
        world.live(SECOND);

        assertThat(world.receiver.hits()).extracting(Hit::key).containsExactly(key);
        assertThat(world.runs("health")).extracting(Run::attempt).containsExactly(2);
        assertThat(world.runs("health")).extracting(Run::slot).containsExactly(Instant.parse("2026-11-16T00:05:00Z"));
    }

    @Test
    void anOccurrenceThatWasCutOffAndThenPausedDoesNotLeaveItsKeyToTheNext() {
        world.endpoints.create(Sample.every("health", Duration.ofMinutes(5)));
        world.behaviour = call -> SimulatedReceiver.well(Duration.ofSeconds(8));
        world.live(Duration.ofMinutes(5));
        Instant slot = world.clock.instant();
        // The worker is stopped, and its time is over before there is an answer.
        world.receiver.close();
        world.turns.stop();
        world.turns.turn();
        assertThat(world.turns.inFlight()).isZero();
        world.endpoints.pause("health", Pause.until(world.clock.instant().plusSeconds(60)));

        world.startWorker();
        world.live(Duration.ofMinutes(6));

        List<Hit> hits = world.receiver.hits();
        assertThat(hits).extracting(Hit::key).containsExactly("e1-1", "e1-2", "e1-3");
        assertThat(world.runs("health").get(0).slot()).isEqualTo(slot);
        assertThat(world.runs("health").get(0).answer().error()).contains("paused before it could be repeated");
    }

    @Test
    void anOccurrenceThatWasPausedBeforeItCouldBeRepeatedIsGivenUpAndCountsForNothing() {
        world.endpoints.create(Sample.every("health", Duration.ofMinutes(5)));
        world.clock.advance(Duration.ofMinutes(5));
        world.store.claim(new Demand("dead", "its", 1, 1, Map.of(), SECOND));
        world.endpoints.pause("health", Pause.until(world.clock.instant().plusSeconds(3600)));
        world.live(Duration.ofMinutes(10));

        assertThat(world.receiver.hits()).isEmpty();
        assertThat(world.runs("health")).singleElement().satisfies(run -> {
            assertThat(run.answer().error()).contains("paused before it could be repeated");
            assertThat(run.failuresAfter()).isZero();
        });
    }
}
