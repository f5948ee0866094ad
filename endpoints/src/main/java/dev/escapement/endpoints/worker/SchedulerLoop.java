package dev.escapement.endpoints.worker;

import dev.escapement.endpoints.http.CallDispatcher;
import dev.escapement.endpoints.http.CallRequest;
import dev.escapement.endpoints.http.CallResult;
import dev.escapement.endpoints.http.CallResult.Failure;
import dev.escapement.endpoints.model.ScheduledEndpoint;
import dev.escapement.endpoints.model.ScheduledEndpoint.PlannedRun;
import dev.escapement.endpoints.schedule.EndpointPlanner;
import dev.escapement.endpoints.store.EndpointClaim;
import dev.escapement.endpoints.store.EndpointStore;
import dev.escapement.endpoints.store.EndpointStore.ClaimRequest;
import dev.escapement.endpoints.store.EndpointStore.NextDue;
import dev.escapement.endpoints.worker.EndpointWorker.EndpointWorkerListener;
import dev.escapement.endpoints.worker.EndpointWorker.EndpointWorkerSettings;
import dev.escapement.endpoints.worker.InFlightCalls.FinishedCall;
import dev.escapement.endpoints.worker.InFlightCalls.InFlightCall;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The steps of a worker: collect finished calls, renew leases, record results, claim due endpoints and call them. Used
 * by one thread; only calls finish on others. After an exception the next {@link #runOnce} continues where it failed.
 */
final class SchedulerLoop {

    /** A run is given up after this many attempts without a result: it may be what kills the workers. */
    static final int MAX_ATTEMPTS = 5;

    /** Minimum delay between iterations without a backlog, so that several endpoints share one transaction. */
    static final Duration COALESCE_DELAY = Duration.ofMillis(10);

    /** Minimum delay between second claims, which have to read past the due endpoints of full hosts. */
    private static final Duration RECLAIM_INTERVAL = Duration.ofMillis(50);

    /** Limits the cost of a query that only serves a metric. */
    private static final Duration THROTTLE_REPORT_INTERVAL = Duration.ofSeconds(1);

    private final EndpointStore store;
    private final InstantSource clock;
    private final CallDispatcher dispatcher;
    private final EndpointWorkerSettings settings;
    private final EndpointWorkerListener listener;
    private final Supplier<String> leaseTokens;
    private final Runnable wakeUp;
    private final InFlightCalls inFlightCalls = new InFlightCalls();
    private final RunRecorder recorder;

    private Instant renewAt = Instant.MAX;

    /** Claims whose lease could not be renewed; they are not renewed again. */
    private final Set<EndpointClaim> lostLeases = new HashSet<>();

    private Instant nextPollAt = Instant.MIN;
    private Instant nextReclaimAt = Instant.MIN;
    private Instant nextThrottleReportAt = Instant.MIN;
    private boolean moreIsDue;
    private boolean capacityFreed;
    private boolean stopping;

    /**
     * @param leaseTokens generates tokens that are unique across servers
     * @param wakeUp called on any thread when a call has finished
     */
    SchedulerLoop(
            EndpointStore store,
            CallDispatcher dispatcher,
            EndpointPlanner planner,
            EndpointWorkerSettings settings,
            EndpointWorkerListener listener,
            Supplier<String> leaseTokens,
            Runnable wakeUp) {
        this.store = store;
        this.clock = store.clock();
        this.dispatcher = dispatcher;
        this.settings = settings;
        this.listener = listener;
        this.leaseTokens = leaseTokens;
        this.wakeUp = wakeUp;
        this.recorder = new RunRecorder(store, planner, listener);
    }

    /** Makes the next iteration poll: an endpoint may be due earlier than known. */
    void pollSoon() {
        nextPollAt = Instant.MIN;
    }

    void stopClaiming() {
        stopping = true;
    }

    int inFlightCount() {
        return inFlightCalls.count();
    }

    int unrecordedCount() {
        return recorder.count();
    }

    /**
     * Runs one iteration.
     *
     * @return when to run the next, unless a call finishes earlier
     */
    Instant runOnce() {
        int drained = collectFinished();
        // Before all other steps that may fail: an outage makes renewals most urgent.
        renewLeases();
        recorder.record(next -> nextPollAt = earlierOf(nextPollAt, next));
        if (!stopping && ((moreIsDue && capacityFreed) || !clock.instant().isBefore(nextPollAt))) {
            pollDue();
        }
        if (recorder.count() > 0 || drained == RunRecorder.MAX_BATCH) {
            // A full batch: more may be waiting, and they have already signalled.
            return clock.instant();
        }
        return earlierOf(renewAt, stopping ? Instant.MAX : nextPollAt);
    }

    /** Whether due endpoints wait for capacity, so that the end of a call should be handled at once. */
    boolean isSaturated() {
        return moreIsDue;
    }

    private int collectFinished() {
        List<FinishedCall> drained = inFlightCalls.drainFinished(RunRecorder.MAX_BATCH);
        capacityFreed |= !drained.isEmpty();
        List<EndpointClaim> aborted = new ArrayList<>();
        List<FinishedCall> finished = new ArrayList<>();
        for (FinishedCall call : drained) {
            if (call.result().failure().filter(Failure.ABORTED::equals).isPresent()) {
                aborted.add(call.call().claim());
            } else {
                finished.add(call);
            }
        }
        recorder.add(finished);
        if (!aborted.isEmpty()) {
            // The endpoint may have processed the call: the next worker repeats it under the same idempotency key.
            store.release(aborted);
        }
        return drained.size();
    }

    /** A lease outlasts its call, so only results that cannot be recorded in time need this. */
    private void renewLeases() {
        Instant now = clock.instant();
        if (now.isBefore(renewAt)) {
            return;
        }
        Set<EndpointClaim> claims = new LinkedHashSet<>(inFlightCalls.claims());
        claims.addAll(recorder.claims());
        lostLeases.retainAll(claims);
        claims.removeAll(lostLeases);
        if (!claims.isEmpty()) {
            Map<String, Instant> renewed = store.renew(claims, settings.leaseMargin());
            claims.removeIf(claim -> renewed.containsKey(claim.endpoint().id()));
            lostLeases.addAll(claims);
            if (!claims.isEmpty()) {
                listener.onLeaseLost(claims.size());
            }
        }
        renewAt = inFlightCalls.count() + recorder.count() == 0
                ? Instant.MAX
                : now.plus(settings.leaseMargin().dividedBy(2));
    }

    private void pollDue() {
        int room = settings.concurrency() - inFlightCalls.count() - recorder.count();
        Set<String> full = inFlightCalls.fullHosts(settings.concurrencyPerHost());
        if (room <= 0) {
            moreIsDue = true;
            // The end of a call triggers the next poll.
            nextPollAt = clock.instant().plus(settings.pollInterval());
            reportThrottledHosts(full);
            return;
        }
        int claimed = claimAndStart(room);
        Set<String> fullNow = inFlightCalls.fullHosts(settings.concurrencyPerHost());
        Instant now = clock.instant();
        if (claimed < room && !full.containsAll(fullNow) && !now.isBefore(nextReclaimAt)) {
            // A host that became full may have hidden the endpoints of others within the limit of the query.
            nextReclaimAt = now.plus(RECLAIM_INTERVAL);
            claimed += claimAndStart(room - claimed);
        }
        if (claimed > 0) {
            nextPollAt = claimed == room ? now : now.plus(COALESCE_DELAY);
        } else {
            NextDue due = store.nextDue(full);
            Instant latest = due.storeTime().plus(settings.pollInterval());
            nextPollAt = due.dueAt().filter(latest::isAfter).orElse(latest);
        }
        // Only after the last query: a poll that failed must be repeated.
        capacityFreed = false;
        moreIsDue = claimed == room || !fullNow.isEmpty();
        reportThrottledHosts(fullNow);
    }

    /** Reports full hosts that have due endpoints waiting. */
    private void reportThrottledHosts(Set<String> full) {
        Instant now = clock.instant();
        if (!full.isEmpty() && !now.isBefore(nextThrottleReportAt)) {
            nextThrottleReportAt = now.plus(THROTTLE_REPORT_INTERVAL);
            store.dueHosts(full).forEach(listener::onHostThrottled);
        }
    }

    private int claimAndStart(int room) {
        List<EndpointClaim> claims = store.claim(new ClaimRequest(
                settings.workerName(),
                leaseTokens.get(),
                room,
                settings.concurrencyPerHost(),
                inFlightCalls.callsByHost(),
                settings.leaseMargin()));
        listener.onClaimed(claims.size());
        if (!claims.isEmpty()) {
            Instant soon = clock.instant().plus(settings.leaseMargin().dividedBy(2));
            renewAt = earlierOf(renewAt, soon);
        }
        claims.forEach(this::startCall);
        return claims.size();
    }

    private void startCall(EndpointClaim claim) {
        Instant now = clock.instant();
        ScheduledEndpoint endpoint = claim.endpoint();
        CallRequest request = endpoint.definition().call();
        PlannedRun plan = endpoint.nextRun();
        InFlightCall call = new InFlightCall(claim, plan, plan.at().orElse(now), now);
        inFlightCalls.add(call);
        if (claim.lease().attempt() > MAX_ATTEMPTS) {
            String error = "%d workers started the run and stopped before it finished".formatted(MAX_ATTEMPTS);
            finishCall(call, CallResult.failed(Failure.LOST, error), true);
        } else if (endpoint.overrides().isPaused(now)) {
            String error = "the worker stopped during the run, and the endpoint was paused before it was repeated";
            finishCall(call, CallResult.failed(Failure.LOST, error), false);
        } else if (!now.plus(request.timeout()).isBefore(claim.lease().expiresAt())) {
            // The response to the claim was so late that another worker could claim the endpoint during the call.
            finishCall(call, CallResult.failed(Failure.ABORTED, "the lease could expire during the call"), false);
        } else {
            dispatcher.dispatch(request, endpoint.runId(), result -> finishCall(call, result, true));
        }
    }

    private void finishCall(InFlightCall call, CallResult result, boolean countsAsOutcome) {
        inFlightCalls.finish(new FinishedCall(call, result, clock.instant(), countsAsOutcome));
        wakeUp.run();
    }

    private static Instant earlierOf(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }
}
