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
 * Metrics of scheduled endpoints. Counters and timers are about the calls of this server: sum them over servers. The
 * gauges of the backlog are about the whole database: take their maximum.
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

    // Kept in fields, because there may be thousands of runs a second.
    private final Map<CallResult.Failure, Counter> failed = new ConcurrentHashMap<>();
    private final Counter succeeded;
    private final Timer lateness;
    private final Timer duration;
    private final Counter claimed;
    private final Counter leasesLost;
    private final Counter throttled;

    /** Registers all counters with zero, so that rates have a start value. */
    public EndpointMetrics(MeterRegistry registry) {
        this.registry = registry;
        this.succeeded = runCounter(SUCCEEDED, "none");
        // An aborted call is no failure of a run: another worker repeats it.
        for (CallResult.Failure failure : EnumSet.complementOf(EnumSet.of(CallResult.Failure.ABORTED))) {
            failed.put(failure, runCounter(FAILED, failure.name()));
        }
        for (RemediationAttempt.State state : RemediationAttempt.State.values()) {
            remediationCounter(state);
        }
        this.lateness =
                registerTimer("escapement.endpoint.lateness", "Delay between the due time and the start of runs");
        this.duration = registerTimer("escapement.endpoint.call", "Duration of calls, from start to response");
        this.claimed = registerCounter("escapement.endpoint.claimed", "Runs that this server has claimed");
        this.leasesLost = registerCounter(
                "escapement.endpoint.lease.losses", "Results or renewals that arrived after their lease had expired");
        this.throttled = registerCounter(
                "escapement.endpoint.throttled",
                "Times that due runs waited because their host had reached its limit of concurrent calls;"
                        + " counted at most once a second per host");
    }

    private Counter runCounter(String outcome, String failure) {
        return Counter.builder("escapement.endpoint.runs")
                .description("Runs of endpoints that ended, by outcome and cause of failure")
                .tag("outcome", outcome)
                .tag("failure", failure)
                .register(registry);
    }

    private Counter remediationCounter(RemediationAttempt.State state) {
        return Counter.builder("escapement.endpoint.remediations")
                .description("Requests for a remediation of a failing endpoint, by result")
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

    public void recordClaims(int count) {
        claimed.increment(count);
    }

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

    public void recordLostLeases(int count) {
        leasesLost.increment(count);
    }

    /** Counts a run that waits for its host. The host is not a label, because the number of hosts is unbounded. */
    public void recordThrottled() {
        throttled.increment();
    }

    /** Wraps a requester to count its responses. */
    public RemediationRequester countReplies(RemediationRequester requester) {
        return (endpoint, remediation, execution) -> {
            RemediationRequester.Response reply = requester.request(endpoint, remediation, execution);
            remediationCounter(reply.state()).increment();
            return reply;
        };
    }

    public void registerWorker(IntSupplier inFlight, IntSupplier unrecorded) {
        Gauge.builder("escapement.endpoint.in.flight", inFlight, IntSupplier::getAsInt)
                .description("Calls of this server in progress")
                .strongReference(true)
                .register(registry);
        Gauge.builder("escapement.endpoint.unrecorded", unrecorded, IntSupplier::getAsInt)
                .description("Ended calls of this server whose result is not recorded yet")
                .strongReference(true)
                .register(registry);
    }

    /**
     * Registers gauges of the backlog, which is read when they are scraped.
     *
     * @param ticker a monotonic clock such as {@link System#nanoTime}
     */
    public void registerBacklog(Supplier<EndpointBacklog> source, LongSupplier ticker) {
        CachedValue<EndpointBacklog> backlog = new CachedValue<>(source, new EndpointBacklog(0, 0, 0), ticker);
        registerGauge("escapement.endpoints", "Endpoints that are not archived", backlog, EndpointBacklog::endpoints);
        registerGauge(
                "escapement.endpoint.waiting",
                "Endpoints that are due and not claimed by a server",
                backlog,
                EndpointBacklog::waiting);
        registerGauge(
                "escapement.endpoint.running",
                "Endpoints that a server has claimed",
                backlog,
                EndpointBacklog::claimed);
    }

    private void registerGauge(
            String name,
            String description,
            CachedValue<EndpointBacklog> backlog,
            ToLongFunction<EndpointBacklog> field) {
        Gauge.builder(name, backlog, cached -> field.applyAsLong(cached.get()))
                .description(description)
                .strongReference(true)
                .register(registry);
    }
}
