package dev.escapement.endpoints.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.endpoints.model.SampleEndpoints;
import dev.escapement.endpoints.store.EndpointStore.RunFilter;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/**
 * More calls finished together than one iteration records. Each had already signalled, so the rest waited until
 * something else was due, and endpoints missed slots.
 */
class ManyCallsFinishAtOnceTest {

    private static final int CALLS = 2 * RunRecorder.MAX_BATCH + 1;
    private static final Duration CALL_DURATION = Duration.ofMillis(200);

    private final SchedulerLoopFixture fixture = new SchedulerLoopFixture(CALLS, CALLS);

    @Test
    void recordsAllResultsWithoutFurtherWakeup() {
        for (int i = 0; i < CALLS; i++) {
            fixture.service.create(SampleEndpoints.withInterval("beat-" + i, Duration.ofHours(1)));
        }
        fixture.behaviour = call -> SimulatedReceiver.succeedAfter(CALL_DURATION);
        fixture.clock.advance(Duration.ofHours(1));
        fixture.loop.runOnce();
        assertThat(fixture.loop.inFlightCount()).isEqualTo(CALLS);

        fixture.clock.advance(CALL_DURATION);
        fixture.receiver.finishDueCalls();
        Instant finished = fixture.clock.instant();
        // The worker runs the next iteration when the last one requested it; no further call wakes it.
        while (!fixture.loop.runOnce().isAfter(finished)) {
            assertThat(fixture.loop.inFlightCount()).isLessThan(CALLS);
        }

        assertThat(fixture.loop.inFlightCount()).isZero();
        assertThat(fixture.loop.unrecordedCount()).isZero();
        assertThat(fixture.store.listRuns(RunFilter.ALL, "", CALLS + 1).items()).hasSize(CALLS);
    }
}
