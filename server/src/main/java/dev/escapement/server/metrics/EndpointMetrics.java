package dev.escapement.server.metrics;

import dev.escapement.endpoints.http.CallResult;
import dev.escapement.endpoints.model.FinishedRun;
import dev.escapement.endpoints.model.RemediationAttempt;
import dev.escapement.endpoints.store.EndpointStore.EndpointBacklog;
import dev.escapement.endpoints.worker.RemediationDispatcher.RemediationRequester;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Metrics of scheduled endpoints. Counters and timers are about the calls of this server: sum them over servers. The
 * gauges of the backlog are about the whole database: take their maximum.
 */
public final class EndpointMetrics {

    private static final String SUCCEEDED = "Succeeded";
    private static final String FAILED = "Failed";

    private static final long[] BUCKET_MILLIS = {5, 10, 25, 50, 100, 250, 500, 1_000, 5_000, 30_000, 300_000};

    private final Meters meters;

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
        this.meters = new Meters(registry);
        this.succeeded = runCounter(SUCCEEDED, "none");
        // An aborted call is no failure of a run: another worker repeats it.
        for (CallResult.Failure failure : EnumSet.complementOf(EnumSet.of(CallResult.Failure.ABORTED))) {
            failed.put(failure, runCounter(FAILED, failure.name()));
        }
        for (RemediationAttempt.State state : RemediationAttempt.State.values()) {
            remediationCounter(state);
        }
        this.lateness = meters.timer(
                "escapement.endpoint.lateness", "Delay between the due time and the start of runs", BUCKET_MILLIS);
        this.duration =
                meters.timer("escapement.endpoint.call", "Duration of calls, from start to response", BUCKET_MILLIS);
        this.claimed = meters.counter("escapement.endpoint.claimed", "Runs that this server has claimed");
        this.leasesLost = meters.counter(
                "escapement.endpoint.lease.losses", "Results or renewals that arrived after their lease had expired");
        this.throttled = meters.counter(
                "escapement.endpoint.throttled",
                "Times that due runs waited because their host had reached its limit of concurrent calls;"
                        + " counted at most once a second per host");
    }

    private Counter runCounter(String outcome, String failure) {
        String description = "Runs of endpoints that ended, by outcome and cause of failure";
        return meters.counter("escapement.endpoint.runs", description, "outcome", outcome, "failure", failure);
    }

    private Counter remediationCounter(RemediationAttempt.State state) {
        String description = "Requests for a remediation of a failing endpoint, by result";
        return meters.counter("escapement.endpoint.remediations", description, "state", state.name());
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
        meters.gauge("escapement.endpoint.in.flight", "Calls of this server in progress", inFlight::getAsInt);
        meters.gauge(
                "escapement.endpoint.unrecorded",
                "Ended calls of this server whose result is not recorded yet",
                unrecorded::getAsInt);
    }

    /**
     * Registers gauges of the backlog, which is read when they are scraped.
     *
     * @param ticker a monotonic clock such as {@link System#nanoTime}
     */
    public void registerBacklog(Supplier<EndpointBacklog> source, LongSupplier ticker) {
        var backlog = new CachedValue<>("the backlog of endpoints", source, new EndpointBacklog(0, 0, 0), ticker);
        meters.gauge(
                "escapement.endpoints",
                "Endpoints that are not archived",
                () -> backlog.get().endpoints());
        meters.gauge(
                "escapement.endpoint.waiting",
                "Endpoints that are due and not claimed by a server",
                () -> backlog.get().waiting());
        meters.gauge(
                "escapement.endpoint.running",
                "Endpoints that a server has claimed",
                () -> backlog.get().claimed());
    }
}
