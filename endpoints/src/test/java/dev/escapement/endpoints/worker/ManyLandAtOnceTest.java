package dev.escapement.endpoints.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.endpoints.Endpoints;
import dev.escapement.endpoints.Planning;
import dev.escapement.endpoints.Sample;
import dev.escapement.endpoints.store.EndpointStore.RunFilter;
import dev.escapement.endpoints.store.SimulatedEndpointStore;
import dev.escapement.governor.plan.RunPlanner;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * More calls landed together than one turn records. Each had called for a turn already, so the rest lay there until
 * something else was due, and endpoints missed their beats.
 */
class ManyLandAtOnceTest {

    private static final int MANY = 2 * Recorder.MOST + 1;
    private static final Duration TOOK = Duration.ofMillis(200);

    private final VirtualClock clock = new VirtualClock();
    private final SimulatedEndpointStore store = new SimulatedEndpointStore(clock, 10);
    private final Planning planning = new Planning(new RunPlanner(0));
    private final AtomicInteger numbers = new AtomicInteger();
    private final Endpoints endpoints = new Endpoints(store, planning, () -> "e" + numbers.incrementAndGet());
    private final SimulatedReceiver receiver = new SimulatedReceiver(clock, call -> SimulatedReceiver.well(TOOK));
    private final Turns turns = new Turns(
            store,
            receiver,
            planning,
            new WorkerSettings("w", MANY, MANY, Duration.ofSeconds(10), Duration.ofMinutes(1)),
            WorkerListener.NOBODY,
            () -> "t" + numbers.incrementAndGet(),
            () -> {});

    @Test
    void allOfThemAreRecordedWithoutWaitingForAnythingElse() {
        for (int i = 0; i < MANY; i++) {
            endpoints.create(Sample.every("beat-" + i, Duration.ofHours(1)));
        }
        clock.advance(Duration.ofHours(1));
        turns.turn();
        assertThat(turns.inFlight()).isEqualTo(MANY);

        clock.advance(TOOK);
        receiver.land();
        Instant landed = clock.instant();
        // The worker's thread takes the next turn when the last one says; no more landings wake it.
        while (!turns.turn().isAfter(landed)) {
            assertThat(turns.inFlight()).isLessThan(MANY);
        }

        assertThat(turns.inFlight()).isZero();
        assertThat(turns.unrecorded()).isZero();
        assertThat(store.runs(RunFilter.ALL, "", MANY + 1).items()).hasSize(MANY);
    }
}
