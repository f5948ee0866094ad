package dev.escapement.endpoints.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.endpoints.model.SampleEndpoints;
import dev.escapement.endpoints.store.FaultyEndpointStore;
import dev.escapement.endpoints.worker.EndpointWorker.EndpointWorkerListener;
import dev.escapement.governor.plan.FixedInterval;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests which hosts are reported as throttled. */
class HostThrottlingTest implements EndpointWorkerListener {

    private static final FixedInterval EVERY_MINUTE = new FixedInterval(Duration.ofMinutes(1));

    private final List<String> throttledHosts = new ArrayList<>();
    private final SchedulerLoopFixture fixture =
            new SchedulerLoopFixture(100, 1, this, new FaultyEndpointStore.Hook() {});

    @Override
    public void onHostThrottled(String host) {
        throttledHosts.add(host);
    }

    @Test
    void reportsHostAsThrottledOnlyWhenItsEndpointsWait() {
        fixture.behaviour = call -> SimulatedReceiver.succeedAfter(Duration.ofSeconds(5));
        fixture.service.create(SampleEndpoints.of("alone", "https://alone.example/", EVERY_MINUTE));
        fixture.runFor(Duration.ofMinutes(3));
        assertThat(fixture.receiver.receivedCalls()).hasSize(3);
        assertThat(throttledHosts).isEmpty();

        fixture.service.create(SampleEndpoints.of("one", "https://busy.example/1", EVERY_MINUTE));
        fixture.service.create(SampleEndpoints.of("other", "https://busy.example/2", EVERY_MINUTE));
        fixture.runFor(Duration.ofSeconds(62));

        assertThat(throttledHosts).contains("busy.example:443").containsOnly("busy.example:443");
        // It has been full for two seconds.
        assertThat(throttledHosts).hasSizeBetween(1, 2);
    }
}
