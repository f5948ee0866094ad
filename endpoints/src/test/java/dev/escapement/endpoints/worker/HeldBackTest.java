package dev.escapement.endpoints.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.endpoints.Sample;
import dev.escapement.endpoints.store.FaultyEndpointStore;
import dev.escapement.governor.plan.FixedInterval;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which hosts are said to be held back, under a virtual clock. */
class HeldBackTest implements WorkerListener {

    private static final FixedInterval EVERY_MINUTE = new FixedInterval(Duration.ofMinutes(1));

    private final List<String> heldBack = new ArrayList<>();
    private final LoopWorld world = new LoopWorld(100, 1, this, new FaultyEndpointStore.Hook() {});

    @Override
    public void throttled(String host) {
        heldBack.add(host);
    }

    @Test
    void aHostIsHeldBackOnlyIfSomethingOfItWaits() {
        world.behaviour = call -> SimulatedReceiver.well(Duration.ofSeconds(5));
        world.endpoints.create(Sample.of("alone", "https://alone.example/", EVERY_MINUTE));
        world.live(Duration.ofMinutes(3));
        assertThat(world.receiver.hits()).hasSize(3);
        assertThat(heldBack).isEmpty();

        world.endpoints.create(Sample.of("one", "https://busy.example/1", EVERY_MINUTE));
        world.endpoints.create(Sample.of("other", "https://busy.example/2", EVERY_MINUTE));
        world.live(Duration.ofSeconds(62));

        assertThat(heldBack).contains("busy.example:443").containsOnly("busy.example:443");
        // It was busy for two seconds until now.
        assertThat(heldBack).hasSizeBetween(1, 2);
    }
}
