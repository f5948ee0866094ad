package dev.escapement.endpoints.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.endpoints.model.FinishedRun;
import dev.escapement.endpoints.model.SampleEndpoints;
import dev.escapement.endpoints.schedule.EndpointService;
import dev.escapement.endpoints.store.EndpointStore.RunFilter;
import dev.escapement.endpoints.store.SqlEndpointStore;
import dev.escapement.governor.plan.FixedInterval;
import dev.escapement.storage.DatabaseKind;
import dev.escapement.storage.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Workers on a real database with real calls, by the wall clock. Runs in {@code dev/nightly}. */
@Tag("exhaustive")
@EnabledIfSystemProperty(named = "escapement.nightly", matches = "true")
class EndpointWorkerRealTimeIT {

    private final EndpointWorkerFixture fixture = new EndpointWorkerFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    @ParameterizedTest
    @EnumSource(DatabaseKind.class)
    void backsOffExponentiallyInRealTime(DatabaseKind kind) throws InterruptedException {
        try (TestDatabase database = kind.create()) {
            SqlEndpointStore store = SqlEndpointStore.open(database.open(), 100);
            fixture.status.set(503);
            fixture.newService(store)
                    .create(SampleEndpoints.of("health", fixture.url(), new FixedInterval(Duration.ofMillis(50))));
            List<FinishedRun> runs = new ArrayList<>();
            try (EndpointWorker worker = fixture.startWorker(store, "w")) {
                assertThat(worker.isAlive()).isTrue();
                while (runs.size() < 7) {
                    if (runs.size() == 6) {
                        fixture.status.set(204);
                    }
                    runs.add(fixture.nextRun());
                }
                runs.add(fixture.nextRun());
            }
            List<Long> waits = IntStream.range(1, runs.size())
                    .mapToObj(i -> waitBetween(runs.get(i - 1), runs.get(i)))
                    .toList();
            assertThat(waits.subList(0, 6)).containsExactly(100L, 200L, 400L, 800L, 1600L, 1600L);
            assertThat(waits.get(6))
                    .describedAs("a multiple of the interval after the recovery")
                    .isEqualTo(50 * (1 + runs.get(6).missed()));
            assertThat(runs).allSatisfy(run -> assertThat(run.startedAt()).isAfterOrEqualTo(run.slot()));
            assertThat(fixture.receivedByKey.values())
                    .allSatisfy(times -> assertThat(times).hasValue(1));
        }
    }

    @ParameterizedTest
    @EnumSource(DatabaseKind.class)
    void doesNotDriftInRealTime(DatabaseKind kind) throws InterruptedException {
        Duration interval = Duration.ofMillis(20);
        int minRuns = 200;
        List<FinishedRun> runs = new ArrayList<>();
        Instant origin;
        try (TestDatabase database = kind.create()) {
            SqlEndpointStore store = SqlEndpointStore.open(database.open(), 100);
            origin = fixture.newService(store)
                    .create(SampleEndpoints.of("beat", fixture.url(), new FixedInterval(interval)))
                    .endpoint()
                    .history()
                    .origin();
            Instant end = origin.plus(interval.multipliedBy(1_000));
            try (EndpointWorker worker = fixture.startWorker(store, "w")) {
                assertThat(worker.isAlive()).isTrue();
                while (runs.size() < minRuns || runs.get(runs.size() - 1).slot().isBefore(end)) {
                    runs.add(fixture.nextRun());
                }
            }
        }
        // Every slot has a run, or is recorded as missed by the run before it.
        Instant expected = origin.plus(interval);
        for (FinishedRun run : runs) {
            // The smallest rest after a run may delay one slot, and not those after it.
            assertThat(run.slot()).isBetween(expected, expected.plus(interval.dividedBy(10)));
            assertThat(run.startedAt()).isAfterOrEqualTo(run.slot());
            expected = expected.plus(interval.multipliedBy(1 + run.missed()));
        }
        // A stall makes single runs late; drift would make all later runs later.
        Duration initialLateness = minLateness(runs.subList(0, runs.size() / 4));
        Duration finalLateness = minLateness(runs.subList(runs.size() * 3 / 4, runs.size()));
        assertThat(finalLateness).isLessThan(initialLateness.multipliedBy(3).plus(interval.multipliedBy(5)));
    }

    @ParameterizedTest
    @EnumSource(names = "POSTGRESQL", value = DatabaseKind.class)
    void twoServersCallEverySlotOnce(DatabaseKind kind) throws InterruptedException {
        int count = 300;
        try (TestDatabase database = kind.create()) {
            SqlEndpointStore store = SqlEndpointStore.open(database.open(), 100);
            SqlEndpointStore other = SqlEndpointStore.open(database.open(), 100);
            EndpointService service = fixture.newService(store);
            for (int i = 0; i < count; i++) {
                service.create(
                        SampleEndpoints.of("n" + i, fixture.url() + i, new FixedInterval(Duration.ofMillis(500))));
            }
            EndpointWorker one = fixture.startWorker(store, "one");
            EndpointWorker two = fixture.startWorker(other, "two");
            for (int i = 0; i < 3 * count; i++) {
                fixture.nextRun();
            }
            // With a grace period: an aborted call would be repeated by the other worker.
            one.close(EndpointWorkerFixture.TIMEOUT);
            two.close(EndpointWorkerFixture.TIMEOUT);
            assertThat(fixture.receivedByKey.values())
                    .allSatisfy(times -> assertThat(times).hasValue(1));
            assertThat(store.listRuns(new RunFilter(Optional.empty(), Optional.of(true)), "", 10)
                            .items())
                    .isEmpty();
        }
    }

    private static long waitBetween(FinishedRun before, FinishedRun after) {
        Instant from = before.callResult().isSuccess() ? before.slot() : before.endedAt();
        return Duration.between(from, after.slot()).toMillis();
    }

    private static Duration minLateness(List<FinishedRun> runs) {
        return runs.stream().map(FinishedRun::lateness).min(Duration::compareTo).orElseThrow();
    }
}
