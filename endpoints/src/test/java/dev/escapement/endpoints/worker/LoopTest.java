package dev.escapement.endpoints.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.endpoints.EndpointDocument.Wanted;
import dev.escapement.endpoints.Endpoints;
import dev.escapement.endpoints.Planning;
import dev.escapement.endpoints.Sample;
import dev.escapement.endpoints.call.Call;
import dev.escapement.endpoints.store.Demand;
import dev.escapement.endpoints.store.EndpointStore.RunFilter;
import dev.escapement.endpoints.store.Run;
import dev.escapement.endpoints.store.SimulatedEndpointStore;
import dev.escapement.endpoints.worker.SimulatedReceiver.Behaviour;
import dev.escapement.endpoints.worker.SimulatedReceiver.Hit;
import dev.escapement.governor.plan.Interval;
import dev.escapement.governor.plan.IntervalHint;
import dev.escapement.governor.plan.OneShotHint;
import dev.escapement.governor.plan.RunPlanner;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** The running loop, under a virtual clock. */
class LoopTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final VirtualClock clock = new VirtualClock();
    private final SimulatedEndpointStore store = new SimulatedEndpointStore(clock, 10_000);
    private final Planning exact = new Planning(new RunPlanner(0));
    private final AtomicInteger numbers = new AtomicInteger();
    private final Endpoints endpoints = new Endpoints(store, exact, () -> "e" + numbers.incrementAndGet());
    private Function<Call, Behaviour> behaviour = call -> SimulatedReceiver.well(Duration.ofMillis(20));
    private final SimulatedReceiver receiver = new SimulatedReceiver(clock, call -> behaviour.apply(call));
    private final Turns turns = new Turns(
            store,
            receiver,
            exact,
            new WorkerSettings("w", 100, 100, Duration.ofSeconds(10), Duration.ofMinutes(1)),
            WorkerListener.NOBODY,
            () -> "t" + numbers.incrementAndGet(),
            () -> {});

    LoopTest() {
        store.onChange(turns::lookSoon);
    }

    /** Lives until then, as the worker's thread would. */
    private void until(Instant end) {
        while (true) {
            receiver.land();
            Instant next = turns.turn();
            Instant landing = receiver.next().orElse(Instant.MAX);
            Instant earliest = next.isBefore(landing) ? next : landing;
            if (earliest.isAfter(end)) {
                clock.moveTo(end);
                return;
            }
            clock.moveTo(earliest);
        }
    }

    private void live(Duration time) {
        until(clock.instant().plus(time));
    }

    private List<Run> runs(String name) {
        String id = store.named(name).orElseThrow().endpoint().id();
        List<Run> runs = new ArrayList<>(
                store.runs(new RunFilter(java.util.Optional.of(id), java.util.Optional.empty()), "", 10_000)
                        .items());
        java.util.Collections.reverse(runs);
        return runs;
    }

    @Test
    void theTableOfTheSeedHolds() {
        endpoints.create(Sample.every("health", Duration.ofSeconds(60)));
        behaviour = call -> SimulatedReceiver.badly(SECOND);
        live(Duration.ofSeconds(60 + 120 + 240 + 480 + 960 + 1920 + 10));
        behaviour = call -> SimulatedReceiver.well(SECOND);
        live(Duration.ofSeconds(1920 + 65));

        List<Run> runs = runs("health");
        List<Long> waits = new ArrayList<>();
        for (int i = 1; i < runs.size(); i++) {
            // A failing one waits from the end of the attempt, a healthy one keeps the grid from its slot.
            Run before = runs.get(i - 1);
            Instant from = before.answer().isSuccess() ? before.slot() : before.endedAt();
            waits.add(Duration.between(from, runs.get(i).slot()).toSeconds());
        }
        assertThat(waits).containsExactly(120L, 240L, 480L, 960L, 1920L, 1920L, 60L);
        assertThat(runs).extracting(Run::failuresAfter).containsExactly(1, 2, 3, 4, 5, 6, 0, 0);
        assertThat(runs).extracting(Run::failuresBefore).containsExactly(0, 1, 2, 3, 4, 5, 6, 0);
    }

    @Test
    void aThousandBeatsDoNotDrift() {
        Instant created = clock.instant();
        endpoints.create(Sample.every("beat", Duration.ofSeconds(10)));
        behaviour = call -> SimulatedReceiver.well(Duration.ofMillis(700));

        live(Duration.ofSeconds(10_005));

        assertThat(receiver.hits()).hasSize(1_000);
        assertThat(runs("beat")).allSatisfy(run -> {
            assertThat(run.slot()).isEqualTo(created.plusSeconds(10 * run.number()));
            assertThat(run.lateness()).isZero();
        });
    }

    @Test
    void afterADayOfDowntimeThereIsOneRunAndTheBeatsBetweenAreWrittenDown() {
        endpoints.create(Sample.every("beat", Duration.ofSeconds(60)));
        live(Duration.ofSeconds(61));
        clock.advance(Duration.ofDays(1));
        live(Duration.ofSeconds(60));

        assertThat(receiver.hits()).hasSize(3);
        Run late = runs("beat").get(1);
        assertThat(late.missed()).isEqualTo(1439);
        assertThat(late.missedReason()).contains("late");
        assertThat(runs("beat").get(2).slot()).isEqualTo(late.slot().plusSeconds(86_400));
    }

    @Test
    void aRunThatOutlastsItsIntervalIsNeverBesideItself() {
        endpoints.create(Sample.every("slow", Duration.ofSeconds(2)));
        behaviour = call -> SimulatedReceiver.well(Duration.ofSeconds(5));

        live(Duration.ofSeconds(31));

        assertThat(runs("slow")).extracting(Run::missed).containsOnly(2L);
        assertThat(runs("slow").get(0).missedReason()).contains("took 5s");
        assertThat(receiver.hits()).extracting(Hit::at).doesNotHaveDuplicates();
    }

    @Test
    void aHintActsAtOnceAndItsStoryIsKeptWithTheRun() {
        endpoints.create(Sample.every("health", Duration.ofHours(1)));
        live(Duration.ofMinutes(1));
        Instant asked = clock.instant();
        endpoints.hint("health", now -> new OneShotHint(now, now, now.plusSeconds(600), "ada", "deployment"));
        live(Duration.ofMinutes(1));

        assertThat(receiver.hits()).hasSize(1);
        Run run = runs("health").get(0);
        assertThat(run.slot()).isAfter(asked).isBefore(asked.plusSeconds(1));
        assertThat(run.source()).isEqualTo("HINT_ONE_SHOT");
        assertThat(run.story()).contains("ada", "deployment", "BASELINE_INTERVAL", "NOT_THE_EARLIEST");
        live(Duration.ofMinutes(30));
        assertThat(receiver.hits()).describedAs("a one-shot runs once").hasSize(1);
    }

    @Test
    void anIntervalHintReplacesTheBackoffUntilItExpires() {
        endpoints.create(Sample.every("health", Duration.ofMinutes(1)));
        behaviour = call -> SimulatedReceiver.badly(SECOND);
        live(Duration.ofMinutes(10));
        int before = receiver.hits().size();
        endpoints.hint(
                "health", now -> new IntervalHint(Duration.ofSeconds(10), now, now.plusSeconds(60), "ada", "watching"));
        live(Duration.ofSeconds(61));

        // At once, and then ten seconds after the end of each, until it expires.
        assertThat(receiver.hits().size() - before).isEqualTo(6);
    }

    @Test
    void whatPeopleAskWhileACallHangsActsWhenItEnds() {
        endpoints.create(Sample.every("health", Duration.ofMinutes(5)));
        behaviour = call -> SimulatedReceiver.badly(Duration.ofSeconds(8));
        live(Duration.ofSeconds(302));
        assertThat(turns.inFlight()).isOne();

        endpoints.runNow("health", "ada", "again");
        endpoints.resetFailures("health");
        live(Duration.ofSeconds(10));

        List<Hit> hits = receiver.hits();
        assertThat(hits).hasSize(2);
        assertThat(Duration.between(hits.get(0).at(), hits.get(1).at()).toSeconds())
                .isEqualTo(8);
        assertThat(runs("health").get(0).failuresAfter()).isOne();
    }

    @Test
    void aPauseWhileACallHangsHoldsAfterIt() {
        endpoints.create(Sample.every("health", Duration.ofSeconds(10)));
        behaviour = call -> SimulatedReceiver.well(Duration.ofSeconds(8));
        live(Duration.ofSeconds(12));
        endpoints.pause("health", clock.instant().plusSeconds(1000));
        live(Duration.ofMinutes(15));
        assertThat(receiver.hits()).hasSize(1);

        endpoints.resume("health");
        live(Duration.ofSeconds(11));
        assertThat(receiver.hits()).hasSize(2);
    }

    @Test
    void anArchivedEndpointEndsWithTheCallThatIsGoingOn() {
        endpoints.create(Sample.every("health", Duration.ofSeconds(10)));
        behaviour = call -> SimulatedReceiver.well(Duration.ofSeconds(8));
        live(Duration.ofSeconds(12));
        String id = store.named("health").orElseThrow().endpoint().id();
        endpoints.archive("health");
        live(Duration.ofHours(1));

        assertThat(receiver.hits()).hasSize(1);
        assertThat(store.run(id, 1)).isPresent();
        assertThat(store.named("health")).isEmpty();
    }

    @Test
    void runNowIsNotHeldBackByClampsOrBackoff() {
        Wanted wanted = Sample.every("health", Duration.ofMinutes(5));
        endpoints.create(clamped(wanted, Duration.ofMinutes(5)));
        endpoints.runNow("health", "ada", "now");
        live(SECOND);

        assertThat(receiver.hits()).hasSize(1);
        assertThat(runs("health").get(0).source()).isEqualTo(Planning.RUN_NOW);
        live(Duration.ofSeconds(200));
        assertThat(receiver.hits()).describedAs("once").hasSize(1);
    }

    private static Wanted clamped(Wanted wanted, Duration min) {
        var old = wanted.definition();
        return new Wanted(
                new dev.escapement.endpoints.Definition(
                        old.name(),
                        old.description(),
                        old.url(),
                        old.method(),
                        old.headers(),
                        old.body(),
                        old.timeout(),
                        old.signingKey(),
                        old.baseline(),
                        java.util.Optional.of(min),
                        old.maxInterval(),
                        old.remediation()),
                wanted.pausedUntil());
    }

    @Test
    void cronKeepsItsScheduleThroughAChangeOfTheClocks() {
        clock.moveTo(Instant.parse("2027-10-30T12:00:00Z"));
        endpoints.create(Sample.cron("nightly", "30 2 * * *", "Europe/Berlin"));

        until(Instant.parse("2027-11-02T12:00:00Z"));

        assertThat(runs("nightly"))
                .extracting(Run::slot)
                .containsExactly(
                        Instant.parse("2027-10-31T00:30:00Z"),
                        Instant.parse("2027-11-01T01:30:00Z"),
                        Instant.parse("2027-11-02T01:30:00Z"));
    }

    @Test
    void nothingIsAskedWhileNothingIsDue() {
        endpoints.create(Sample.every("health", Duration.ofDays(7)));
        turns.turn();
        Instant next = turns.turn();

        assertThat(next).isEqualTo(clock.instant().plus(Duration.ofMinutes(1)));
    }

    @Test
    void whatIsDueIsCalledThoughSomebodyChangesTheEndpointBeforeAnybodyCame() {
        endpoints.create(Sample.cron("nightly", "0 3 * * *", "UTC"));
        clock.advance(Duration.ofHours(4));
        endpoints.hint("nightly", now -> new IntervalHint(Duration.ofDays(2), now, now.plusSeconds(60), "ada", "less"));
        live(SECOND);

        assertThat(runs("nightly")).extracting(Run::slot).containsExactly(Instant.parse("2026-11-16T03:00:00Z"));
    }

    @Test
    void anOccurrenceThatWasBegunKeepsItsSlotAndItsKeyWhateverIsChanged() {
        endpoints.create(Sample.every("health", Duration.ofMinutes(5)));
        clock.advance(Duration.ofMinutes(5));
        // A worker that claims, calls and dies.
        String key = store.claim(new Demand("dead", "its", 1, 1, Map.of(), SECOND))
                .get(0)
                .endpoint()
                .occurrence();
        clock.advance(Duration.ofMinutes(1));
        endpoints.resetFailures("health");
        live(SECOND);

        assertThat(receiver.hits()).extracting(Hit::key).containsExactly(key);
        assertThat(runs("health")).extracting(Run::attempt).containsExactly(2);
        assertThat(runs("health")).extracting(Run::slot).containsExactly(Instant.parse("2026-11-16T00:05:00Z"));
    }

    @Test
    void anOccurrenceThatWasPausedBeforeItCouldBeRepeatedIsGivenUpAndCountsForNothing() {
        endpoints.create(Sample.every("health", Duration.ofMinutes(5)));
        clock.advance(Duration.ofMinutes(5));
        store.claim(new Demand("dead", "its", 1, 1, Map.of(), SECOND));
        endpoints.pause("health", clock.instant().plusSeconds(3600));
        live(Duration.ofMinutes(10));

        assertThat(receiver.hits()).isEmpty();
        assertThat(runs("health")).singleElement().satisfies(run -> {
            assertThat(run.answer().error()).contains("paused before it could be repeated");
            assertThat(run.failuresAfter()).isZero();
        });
    }

    @Test
    void aHostWithALittleRoomHidesNobody() {
        Turns narrow = new Turns(
                store,
                receiver,
                exact,
                new WorkerSettings("narrow", 4, 1, Duration.ofSeconds(10), Duration.ofMinutes(1)),
                WorkerListener.NOBODY,
                () -> "n" + numbers.incrementAndGet(),
                () -> {});
        for (int i = 0; i < 20; i++) {
            endpoints.create(Sample.of("busy" + i, "https://busy.example/" + i, new Interval(SECOND)));
        }
        clock.advance(Duration.ofMillis(1));
        endpoints.create(Sample.of("quiet", "https://quiet.example/", new Interval(SECOND)));
        clock.advance(Duration.ofSeconds(2));

        narrow.turn();

        assertThat(receiver.hits()).extracting(Hit::url).contains("https://quiet.example/");
    }
}
