package dev.escapement.endpoints.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.endpoints.Sample;
import dev.escapement.endpoints.store.EndpointStore.RunFilter;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/**
 * More calls landed together than one turn records. Each had called for a turn already, so the rest lay there until
 * something else was due, and endpoints missed their beats.
 */
class ManyLandAtOnceTest {

    private static final int MANY = 2 * Recorder.MOST + 1;
    private static final Duration TOOK = Duration.ofMillis(200);

    private final LoopWorld world = new LoopWorld(MANY, MANY);

    @Test
    void allOfThemAreRecordedWithoutWaitingForAnythingElse() {
        for (int i = 0; i < MANY; i++) {
            world.endpoints.create(Sample.every("beat-" + i, Duration.ofHours(1)));
        }
        world.behaviour = call -> SimulatedReceiver.well(TOOK);
        world.clock.advance(Duration.ofHours(1));
        world.turns.turn();
        assertThat(world.turns.inFlight()).isEqualTo(MANY);

        world.clock.advance(TOOK);
        world.receiver.land();
        Instant landed = world.clock.instant();
        // The worker's thread takes the next turn when the last one says; no more landings wake it.
        while (!world.turns.turn().isAfter(landed)) {
            assertThat(world.turns.inFlight()).isLessThan(MANY);
        }

        assertThat(world.turns.inFlight()).isZero();
        assertThat(world.turns.unrecorded()).isZero();
        assertThat(world.store.runs(RunFilter.ALL, "", MANY + 1).items()).hasSize(MANY);
    }
}
