package dev.escapement.endpoints.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.endpoints.model.FinishedRun;
import dev.escapement.endpoints.model.SampleEndpoints;
import dev.escapement.endpoints.worker.SimulatedReceiver.ReceivedCall;
import dev.escapement.governor.plan.FixedInterval;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the scheduler loop in virtual time. */
class SchedulerLoopTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final SchedulerLoopFixture fixture = new SchedulerLoopFixture();

    @Test
    void backsOffExponentiallyAndReturnsToBaseline() {
        fixture.service.create(SampleEndpoints.withInterval("health", Duration.ofSeconds(60)));
        fixture.behaviour = call -> SimulatedReceiver.failAfter(SECOND);
        fixture.runFor(Duration.ofSeconds(60 + 120 + 240 + 480 + 960 + 1920 + 10));
        fixture.behaviour = call -> SimulatedReceiver.succeedAfter(SECOND);
        fixture.runFor(Duration.ofSeconds(1920 + 65));

        List<FinishedRun> runs = fixture.runsOf("health");
        List<Long> waits = new ArrayList<>();
        for (int i = 1; i < runs.size(); i++) {
            // After a failure the delay counts from the end of the call, after a success from the slot.
            FinishedRun before = runs.get(i - 1);
            Instant from = before.callResult().isSuccess() ? before.slot() : before.endedAt();
            waits.add(Duration.between(from, runs.get(i).slot()).toSeconds());
        }
        assertThat(waits).containsExactly(120L, 240L, 480L, 960L, 1920L, 1920L, 60L);
        assertThat(runs).extracting(FinishedRun::failuresAfter).containsExactly(1, 2, 3, 4, 5, 6, 0, 0);
        assertThat(runs).extracting(FinishedRun::failuresBefore).containsExactly(0, 1, 2, 3, 4, 5, 6, 0);
    }

    @Test
    void doesNotDriftOverOneThousandRuns() {
        Instant created = fixture.clock.instant();
        fixture.service.create(SampleEndpoints.withInterval("beat", Duration.ofSeconds(10)));
        fixture.behaviour = call -> SimulatedReceiver.succeedAfter(Duration.ofMillis(700));

        fixture.runFor(Duration.ofSeconds(10_005));

        assertThat(fixture.receiver.receivedCalls()).hasSize(1_000);
        assertThat(fixture.runsOf("beat")).allSatisfy(run -> {
            assertThat(run.slot()).isEqualTo(created.plusSeconds(10 * run.number()));
            assertThat(run.lateness()).isZero();
        });
    }

    @Test
    void hangingOrFailingEndpointsDoNotDelayOthers() {
        fixture.service.create(SampleEndpoints.withInterval("healthy", SECOND));
        for (int i = 0; i < 60; i++) {
            fixture.service.create(SampleEndpoints.withInterval("bad" + i, SECOND));
        }
        fixture.behaviour = call -> call.url().contains("healthy")
                ? SimulatedReceiver.succeedAfter(Duration.ofMillis(20))
                : call.url().contains("1")
                        ? SimulatedReceiver.failAfter(SECOND)
                        : SimulatedReceiver.succeedAfter(Duration.ofHours(1));

        fixture.runFor(Duration.ofMillis(600_500));

        assertThat(fixture.runsOf("healthy")).hasSize(600).allSatisfy(run -> {
            assertThat(run.missed()).isZero();
            assertThat(run.lateness()).isZero();
        });
    }

    @Test
    void runsOnceAfterDowntimeAndRecordsMissedRuns() {
        fixture.service.create(SampleEndpoints.withInterval("beat", Duration.ofSeconds(60)));
        fixture.runFor(Duration.ofSeconds(61));
        fixture.clock.advance(Duration.ofDays(1));
        fixture.runFor(Duration.ofSeconds(60));

        assertThat(fixture.receiver.receivedCalls()).hasSize(3);
        FinishedRun late = fixture.runsOf("beat").get(1);
        assertThat(late.missed()).isEqualTo(1439);
        assertThat(late.missedReason()).contains("late");
        assertThat(fixture.runsOf("beat").get(2).slot()).isEqualTo(late.slot().plusSeconds(86_400));
    }

    @Test
    void recordsMissedRunsAfterDowntimeWhenRunFails() {
        fixture.service.create(SampleEndpoints.withInterval("beat", Duration.ofSeconds(60)));
        fixture.runFor(Duration.ofSeconds(61));
        fixture.clock.advance(Duration.ofDays(1));
        fixture.behaviour = call -> SimulatedReceiver.failAfter(SECOND);
        fixture.runFor(Duration.ofSeconds(130));

        List<FinishedRun> runs = fixture.runsOf("beat");
        assertThat(runs)
                .extracting(FinishedRun::source)
                .containsExactly("BASELINE_INTERVAL", "BASELINE_INTERVAL", "BACKOFF");
        assertThat(runs).extracting(FinishedRun::missed).containsExactly(0L, 1439L, 0L);
    }

    @Test
    void doesNotOverlapRunsLongerThanInterval() {
        fixture.service.create(SampleEndpoints.withInterval("slow", Duration.ofSeconds(2)));
        fixture.behaviour = call -> SimulatedReceiver.succeedAfter(Duration.ofSeconds(5));

        fixture.runFor(Duration.ofSeconds(31));

        assertThat(fixture.runsOf("slow")).extracting(FinishedRun::missed).containsOnly(2L);
        assertThat(fixture.runsOf("slow").get(0).missedReason()).contains("took 5s");
        assertThat(fixture.receiver.receivedCalls())
                .extracting(ReceivedCall::receivedAt)
                .doesNotHaveDuplicates();
    }

    @Test
    void cronKeepsLocalTimeAcrossDaylightSavingChange() {
        fixture.clock.moveTo(Instant.parse("2027-10-30T12:00:00Z"));
        fixture.service.create(SampleEndpoints.withCron("nightly", "30 2 * * *", "Europe/Berlin"));

        fixture.runUntil(Instant.parse("2027-11-02T12:00:00Z"));

        assertThat(fixture.runsOf("nightly"))
                .extracting(FinishedRun::slot)
                .containsExactly(
                        Instant.parse("2027-10-31T00:30:00Z"),
                        Instant.parse("2027-11-01T01:30:00Z"),
                        Instant.parse("2027-11-02T01:30:00Z"));
    }

    @Test
    void waitsForPollIntervalWhenNothingIsDue() {
        fixture.service.create(SampleEndpoints.withInterval("health", Duration.ofDays(7)));
        fixture.loop.runOnce();
        Instant next = fixture.loop.runOnce();

        assertThat(next).isEqualTo(fixture.clock.instant().plus(Duration.ofMinutes(1)));
    }

    @Test
    void claimsFromOtherHostsWhenOneHostFillsUp() {
        SchedulerLoopFixture narrow = new SchedulerLoopFixture(4, 1);
        for (int i = 0; i < 20; i++) {
            narrow.service.create(
                    SampleEndpoints.of("busy" + i, "https://busy.example/" + i, new FixedInterval(SECOND)));
        }
        narrow.clock.advance(Duration.ofMillis(1));
        narrow.service.create(SampleEndpoints.of("quiet", "https://quiet.example/", new FixedInterval(SECOND)));
        narrow.clock.advance(Duration.ofSeconds(2));

        narrow.loop.runOnce();

        assertThat(narrow.receiver.receivedCalls())
                .extracting(ReceivedCall::url)
                .contains("https://quiet.example/");
    }
}
