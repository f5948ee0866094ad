package dev.escapement.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.endpoints.http.CallResult;
import dev.escapement.endpoints.http.CallResult.Failure;
import dev.escapement.endpoints.model.FinishedRun;
import dev.escapement.endpoints.store.EndpointStore.EndpointBacklog;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class EndpointMetricsTest {

    private static final Instant SLOT = Instant.parse("2026-11-16T12:00:00Z");

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final EndpointMetrics metrics = new EndpointMetrics(registry);

    private static FinishedRun createRun(CallResult answer, Duration late) {
        Instant started = SLOT.plus(late);
        Instant ended = started.plusMillis(40);
        return new FinishedRun("id", "name", 1, 1, SLOT, SLOT, started, ended, "w", "s", "{}", 0, 0, answer, 0, "");
    }

    @Test
    void registersEveryOutcomeAtZero() {
        assertThat(registry.get("escapement.endpoint.runs").counters())
                .hasSize(Failure.values().length)
                .noneMatch(counter -> "ABORTED".equals(counter.getId().getTag("failure")))
                .allMatch(counter -> counter.count() == 0);
    }

    @Test
    void countsRunsByOutcomeWithLatenessAndDuration() {
        CallResult fine = new CallResult(Optional.empty(), Optional.of(200), "", "", 0, Optional.empty());
        metrics.recordRun(createRun(fine, Duration.ofMillis(30)));
        metrics.recordRun(createRun(CallResult.failed(Failure.TIMEOUT, "slow"), Duration.ofMillis(10)));
        // A clock that was set back gives no negative lateness.
        metrics.recordRun(createRun(fine, Duration.ofMillis(-10)));
        assertThat(registry.get("escapement.endpoint.runs")
                        .tag("failure", "none")
                        .counter()
                        .count())
                .isEqualTo(2);
        assertThat(registry.get("escapement.endpoint.runs")
                        .tag("failure", "TIMEOUT")
                        .tag("outcome", "Failed")
                        .counter()
                        .count())
                .isEqualTo(1);
        assertThat(registry.get("escapement.endpoint.lateness").timer().totalTime(TimeUnit.MILLISECONDS))
                .isEqualTo(40);
        assertThat(registry.get("escapement.endpoint.call").timer().totalTime(TimeUnit.MILLISECONDS))
                .isEqualTo(120);
    }

    @Test
    void countsWorkerEventsAndShowsInFlightCalls() {
        AtomicInteger inFlight = new AtomicInteger(3);
        AtomicInteger unrecorded = new AtomicInteger();
        metrics.registerWorker(inFlight::get, unrecorded::get);
        metrics.recordClaims(5);
        metrics.recordLostLeases(2);
        metrics.recordLostLeases(1);
        metrics.recordThrottled();

        assertThat(counterValue("escapement.endpoint.claimed")).isEqualTo(5);
        assertThat(counterValue("escapement.endpoint.lease.losses")).isEqualTo(3);
        assertThat(counterValue("escapement.endpoint.throttled")).isEqualTo(1);
        assertThat(gaugeValue("escapement.endpoint.in.flight")).isEqualTo(3);
        assertThat(gaugeValue("escapement.endpoint.unrecorded")).isZero();
        inFlight.set(0);
        unrecorded.set(3);
        assertThat(gaugeValue("escapement.endpoint.in.flight")).isZero();
        assertThat(gaugeValue("escapement.endpoint.unrecorded")).isEqualTo(3);
    }

    private double counterValue(String counter) {
        return registry.get(counter).counter().count();
    }

    private double gaugeValue(String gauge) {
        return registry.get(gauge).gauge().value();
    }

    @Test
    void cachesBacklogAndKeepsLastValueOnFailure() {
        AtomicInteger reads = new AtomicInteger();
        AtomicLong nanos = new AtomicLong();
        metrics.registerBacklog(
                () -> {
                    if (reads.incrementAndGet() == 2) {
                        throw new IllegalStateException("away");
                    }
                    return new EndpointBacklog(7, reads.get(), 0);
                },
                nanos::get);
        assertThat(registry.get("escapement.endpoint.waiting").gauge().value()).isEqualTo(1);
        assertThat(registry.get("escapement.endpoints").gauge().value()).isEqualTo(7);
        assertThat(reads).hasValue(1);
        nanos.set(TimeUnit.SECONDS.toNanos(6));
        assertThat(registry.get("escapement.endpoint.waiting").gauge().value()).isEqualTo(1);
        nanos.set(TimeUnit.SECONDS.toNanos(12));
        assertThat(registry.get("escapement.endpoint.waiting").gauge().value()).isEqualTo(3);
    }
}
