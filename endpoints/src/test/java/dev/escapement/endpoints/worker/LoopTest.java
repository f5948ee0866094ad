package dev.escapement.endpoints.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.endpoints.Sample;
import dev.escapement.endpoints.store.Run;
import dev.escapement.endpoints.worker.SimulatedReceiver.Hit;
import dev.escapement.governor.plan.FixedInterval;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The running loop, under a virtual clock. */
class LoopTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final LoopWorld world = new LoopWorld();

    @Test
    void theTableOfTheSeedHolds() {
        world.endpoints.create(Sample.every("health", Duration.ofSeconds(60)));
        world.behaviour = call -> SimulatedReceiver.badly(SECOND);
        world.live(Duration.ofSeconds(60 + 120 + 240 + 480 + 960 + 1920 + 10));
        world.behaviour = call -> SimulatedReceiver.well(SECOND);
        world.live(Duration.ofSeconds(1920 + 65));

        List<Run> runs = world.runs("health");
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
        Instant created = world.clock.instant();
        world.endpoints.create(Sample.every("beat", Duration.ofSeconds(10)));
        world.behaviour = call -> SimulatedReceiver.well(Duration.ofMillis(700));

        world.live(Duration.ofSeconds(10_005));

        assertThat(world.receiver.hits()).hasSize(1_000);
        assertThat(world.runs("beat")).allSatisfy(run -> {
            assertThat(run.slot()).isEqualTo(created.plusSeconds(10 * run.number()));
            assertThat(run.lateness()).isZero();
        });
    }

    @Test
    void neighboursThatHangOrFailCostNobodyABeat() {
        world.endpoints.create(Sample.every("healthy", SECOND));
        for (int i = 0; i < 60; i++) {
            world.endpoints.create(Sample.every("bad" + i, SECOND));
        }
        world.behaviour = call -> call.url().contains("healthy")
                ? SimulatedReceiver.well(Duration.ofMillis(20))
                : call.url().contains("1")
                        ? SimulatedReceiver.badly(SECOND)
                        : SimulatedReceiver.well(Duration.ofHours(1));

        world.live(Duration.ofMillis(600_500));

        assertThat(world.runs("healthy")).hasSize(600).allSatisfy(run -> {
            assertThat(run.missed()).isZero();
            assertThat(run.lateness()).isZero();
        });
    }

    @Test
    void afterADayOfDowntimeThereIsOneRunAndTheBeatsBetweenAreWrittenDown() {
        world.endpoints.create(Sample.every("beat", Duration.ofSeconds(60)));
        world.live(Duration.ofSeconds(61));
        world.clock.advance(Duration.ofDays(1));
        world.live(Duration.ofSeconds(60));

        assertThat(world.receiver.hits()).hasSize(3);
        Run late = world.runs("beat").get(1);
        assertThat(late.missed()).isEqualTo(1439);
        assertThat(late.missedReason()).contains("late");
        assertThat(world.runs("beat").get(2).slot()).isEqualTo(late.slot().plusSeconds(86_400));
    }

    @Test
    void afterADayOfDowntimeTheBeatsAreWrittenDownThoughTheRunFails() {
        world.endpoints.create(Sample.every("beat", Duration.ofSeconds(60)));
        world.live(Duration.ofSeconds(61));
        world.clock.advance(Duration.ofDays(1));
        world.behaviour = call -> SimulatedReceiver.badly(SECOND);
        world.live(Duration.ofSeconds(130));

        List<Run> runs = world.runs("beat");
        assertThat(runs).extracting(Run::source).containsExactly("BASELINE_INTERVAL", "BASELINE_INTERVAL", "BACKOFF");
        assertThat(runs).extracting(Run::missed).containsExactly(0L, 1439L, 0L);
    }

    @Test
    void aRunThatOutlastsItsIntervalIsNeverBesideItself() {
        world.endpoints.create(Sample.every("slow", Duration.ofSeconds(2)));
        world.behaviour = call -> SimulatedReceiver.well(Duration.ofSeconds(5));

        world.live(Duration.ofSeconds(31));

        assertThat(world.runs("slow")).extracting(Run::missed).containsOnly(2L);
        assertThat(world.runs("slow").get(0).missedReason()).contains("took 5s");
        assertThat(world.receiver.hits()).extracting(Hit::at).doesNotHaveDuplicates();
    }

    @Test
    void cronKeepsItsScheduleThroughAChangeOfTheClocks() {
        world.clock.moveTo(Instant.parse("2027-10-30T12:00:00Z"));
        world.endpoints.create(Sample.cron("nightly", "30 2 * * *", "Europe/Berlin"));

        world.until(Instant.parse("2027-11-02T12:00:00Z"));

        assertThat(world.runs("nightly"))
                .extracting(Run::slot)
                .containsExactly(
                        Instant.parse("2027-10-31T00:30:00Z"),
                        Instant.parse("2027-11-01T01:30:00Z"),
                        Instant.parse("2027-11-02T01:30:00Z"));
    }

    @Test
    void nothingIsAskedWhileNothingIsDue() {
        world.endpoints.create(Sample.every("health", Duration.ofDays(7)));
        world.turns.turn();
        Instant next = world.turns.turn();

        assertThat(next).isEqualTo(world.clock.instant().plus(Duration.ofMinutes(1)));
    }

    @Test
    void aHostWithALittleRoomHidesNobody() {
        LoopWorld narrow = new LoopWorld(4, 1);
        for (int i = 0; i < 20; i++) {
            narrow.endpoints.create(Sample.of("busy" + i, "https://busy.example/" + i, new FixedInterval(SECOND)));
        }
        narrow.clock.advance(Duration.ofMillis(1));
        narrow.endpoints.create(Sample.of("quiet", "https://quiet.example/", new FixedInterval(SECOND)));
        narrow.clock.advance(Duration.ofSeconds(2));

        narrow.turns.turn();

        assertThat(narrow.receiver.hits()).extracting(Hit::url).contains("https://quiet.example/");
    }
}
