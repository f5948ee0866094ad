package dev.escapement.server.metrics;

import dev.escapement.endpoints.http.CallResult;
import dev.escapement.endpoints.model.FinishedRun;
import dev.escapement.endpoints.model.RemediationAttempt;
import dev.escapement.endpoints.remediation.RemediationRequester;
import dev.escapement.endpoints.store.EndpointBacklog;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * What the endpoints do. Counters and times are of this server's own calls: take the sum over servers. How much there
 * is to do is the same for all: take the maximum.
 */
public final class EndpointMetrics {

    private static final String SUCCEEDED = "Succeeded";
    private static final String FAILED = "Failed";

    private static final Duration[] BUCKETS = {
        Duration.ofMillis(5),
        Duration.ofMillis(10),
        Duration.ofMillis(25),
        Duration.ofMillis(50),
        Duration.ofMillis(100),
        Duration.ofMillis(250),
        Duration.ofMillis(500),
        Duration.ofSeconds(1),
        Duration.ofSeconds(5),
        Duration.ofSeconds(30),
        Duration.ofMinutes(5)
    };

    private final MeterRegistry registry;

    // Found once: there may be thousands of runs a second.
    private final Map<CallResult.Failure, Counter> failed = new ConcurrentHashMap<>();
    private final Counter succeeded;
    private final Timer lateness;
    private final Timer duration;
    private final Counter claimed;
    private final Counter leasesLost;
    private final Counter throttled;

    /** Outcomes that have not happened are there too, as zero: a rate needs a beginning. */
    public EndpointMetrics(MeterRegistry registry) {
        this.registry = registry;
        this.succeeded = runCounter(SUCCEEDED, "none");
        // What is aborted is no run's failure: the next worker makes the same call.
        for (CallResult.Failure failure : EnumSet.complementOf(EnumSet.of(CallResult.Failure.ABORTED))) {
            failed.put(failure, runCounter(FAILED, failure.name()));
        }
        for (RemediationAttempt.State state : RemediationAttempt.State.values()) {
            remediationCounter(state);
        }
        this.lateness =
                registerTimer("escapement.endpoint.lateness", "How long after their time runs of endpoints started");
        this.duration = registerTimer("escapement.endpoint.call", "How long calls took, from start to answer");
        this.claimed = registerCounter("escapement.endpoint.claimed", "Runs that this server took on");
        this.leasesLost = registerCounter(
                "escapement.endpoint.lease.losses", "Results or renewals that came after a lease had ended");
        this.throttled = registerCounter(
                "escapement.endpoint.throttled",
                "Times that something due waited because its host had as many calls under way as it may;"
                        + " at most once a second for each host");
    }

    private Counter runCounter(String outcome, String failure) {
        return Counter.builder("escapement.endpoint.runs")
                .description("Runs of endpoints that ended, by outcome, and why they failed")
                .tag("outcome", outcome)
                .tag("failure", failure)
                .register(registry);
    }

    private Counter remediationCounter(RemediationAttempt.State state) {
        return Counter.builder("escapement.endpoint.remediations")
                .description(
                        "Times that a workflow was asked for because an endpoint kept failing, by what became of it")
                .tag("state", state.name())
                .register(registry);
    }

    private Timer registerTimer(String name, String description) {
        return Timer.builder(name)
                .description(description)
                .serviceLevelObjectives(BUCKETS)
                .register(registry);
    }

    private Counter registerCounter(String name, String description) {
        return Counter.builder(name).description(description).register(registry);
    }

    /** So many were taken on. */
    public void recordClaims(int count) {
        claimed.increment(count);
    }

    /** One has ended. */
    public void recordRun(FinishedRun run) {
        run.callResult()
                .failure()
                .map(failure -> failed.computeIfAbsent(failure, unseen -> runCounter(FAILED, unseen.name())))
                .orElse(succeeded)
                .increment();
        lateness.record(clampToZero(run.lateness()));
        duration.record(clampToZero(Duration.between(run.startedAt(), run.endedAt())));
    }

    private static Duration clampToZero(Duration time) {
        return time.isNegative() ? Duration.ZERO : time;
    }

    /** So many leases were not held any more. */
    public void recordLostLeases(int count) {
        leasesLost.increment(count);
    }

    /** Something waits for a host that is at its limit. Which one is not a label: there is no end of hosts. */
    public void recordThrottled() {
        throttled.increment();
    }

    /** The same gate, with its answers counted. */
    public RemediationRequester countReplies(RemediationRequester gate) {
        return (endpoint, remediation, execution) -> {
            RemediationRequester.Response reply = gate.request(endpoint, remediation, execution);
            remediationCounter(reply.state()).increment();
            return reply;
        };
    }

    /** What the worker is doing. */
    public void registerWorker(IntSupplier inFlight, IntSupplier unrecorded) {
        Gauge.builder("escapement.endpoint.in.flight", inFlight, IntSupplier::getAsInt)
                .description("Calls of this server that are under way")
                .strongReference(true)
                .register(registry);
        Gauge.builder("escapement.endpoint.unrecorded", unrecorded, IntSupplier::getAsInt)
                .description("Calls of this server that have ended and are not recorded yet")
                .strongReference(true)
                .register(registry);
    }

    /**
     * How much there is to do, read when Prometheus asks.
     *
     * @param nanos a steady clock such as {@link System#nanoTime}
     */
    public void registerBacklog(Supplier<EndpointBacklog> backlog, LongSupplier nanos) {
        CachedValue<EndpointBacklog> fresh = new CachedValue<>(backlog, new EndpointBacklog(0, 0, 0), nanos);
        registerGauge("escapement.endpoints", "Endpoints that are not archived", fresh, EndpointBacklog::endpoints);
        registerGauge(
                "escapement.endpoint.waiting",
                "Endpoints that are due and that nobody runs yet",
                fresh,
                EndpointBacklog::waiting);
        registerGauge(
                "escapement.endpoint.running", "Endpoints that some server runs now", fresh, EndpointBacklog::claimed);
    }

    private void registerGauge(
            String name, String description, CachedValue<EndpointBacklog> fresh, ToLongFunction<EndpointBacklog> part) {
        Gauge.builder(name, fresh, known -> part.applyAsLong(known.get()))
                .description(description)
                .strongReference(true)
                .register(registry);
    }
}
