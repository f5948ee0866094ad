package dev.escapement.endpoints.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.endpoints.model.FinishedRun;
import dev.escapement.endpoints.model.SampleEndpoints;
import dev.escapement.endpoints.store.EndpointStore.RunFilter;
import dev.escapement.endpoints.store.SqlEndpointStore;
import dev.escapement.governor.plan.FixedInterval;
import dev.escapement.storage.DatabaseKind;
import dev.escapement.storage.TestDatabase;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Start and close of workers on a real database with real calls. */
class EndpointWorkerTest {

    private final EndpointWorkerFixture fixture = new EndpointWorkerFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    @ParameterizedTest
    @EnumSource(DatabaseKind.class)
    void nextWorkerRepeatsAbortedCallWithSameIdempotencyKey(DatabaseKind kind) throws InterruptedException {
        try (TestDatabase database = kind.create()) {
            SqlEndpointStore store = SqlEndpointStore.open(database.open(), 100);
            fixture.holdResponses();
            fixture.newService(store)
                    .create(SampleEndpoints.of("health", fixture.url(), new FixedInterval(Duration.ofMillis(50))));
            EndpointWorker first = fixture.startWorker(store, "first");
            fixture.awaitRequest();
            first.close(Duration.ZERO);
            fixture.respond();

            try (EndpointWorker second = fixture.startWorker(store, "second")) {
                assertThat(second.isAlive()).isTrue();
                FinishedRun run = fixture.nextRun();
                assertThat(run.workerName()).isEqualTo("second");
                assertThat(run.attempt()).isEqualTo(2);
                assertThat(fixture.receivedByKey.get(run.id())).hasValue(2);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(DatabaseKind.class)
    void closeWaitsForCallsWithinGracePeriod(DatabaseKind kind) throws InterruptedException {
        try (TestDatabase database = kind.create()) {
            SqlEndpointStore store = SqlEndpointStore.open(database.open(), 100);
            fixture.holdResponses();
            fixture.newService(store)
                    .create(SampleEndpoints.of("health", fixture.url(), new FixedInterval(Duration.ofHours(1))));
            fixture.newService(store).runNow("health", "ada", "now");
            EndpointWorker worker = fixture.startWorker(store, "w");
            fixture.awaitRequest();
            Thread closing = new Thread(() -> worker.close(EndpointWorkerFixture.TIMEOUT));
            closing.start();
            fixture.respond();
            closing.join();

            assertThat(worker.isAlive()).isFalse();
            assertThat(store.listRuns(RunFilter.ALL, "", 10).items())
                    .singleElement()
                    .satisfies(run -> assertThat(run.callResult().isSuccess()).isTrue());
        }
    }
}
