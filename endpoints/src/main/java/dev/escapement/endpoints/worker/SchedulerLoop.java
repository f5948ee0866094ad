package dev.escapement.endpoints.worker;

import dev.escapement.endpoints.http.CallDispatcher;
import dev.escapement.endpoints.http.CallRequest;
import dev.escapement.endpoints.http.CallResult;
import dev.escapement.endpoints.http.CallResult.Failure;
import dev.escapement.endpoints.model.Endpoint;
import dev.escapement.endpoints.model.EndpointDefinition;
import dev.escapement.endpoints.schedule.EndpointPlanner;
import dev.escapement.endpoints.store.ClaimRequest;
import dev.escapement.endpoints.store.EndpointClaim;
import dev.escapement.endpoints.store.EndpointStore;
import dev.escapement.endpoints.store.NextDue;
import dev.escapement.endpoints.worker.InFlightCall.FinishedCall;
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
 * One turn after the other: record what has landed, keep the leases, claim what is due, have it called. Belongs to one
 * thread; only calls land on others. A turn that fails half way is followed by one that finds everything as it was
 * left.
 */
final class SchedulerLoop {

    /** After so many workers died with it, it is not given to the next. */
    static final int MAX_ATTEMPTS = 5;

    /** When nothing waits, turns come so far apart at least, so that what belongs together goes together. */
    static final Duration COALESCE_DELAY = Duration.ofMillis(10);

    /** How often it is worth reading past everything that is due of hosts that are full. */
    private static final Duration RECLAIM_INTERVAL = Duration.ofMillis(50);

    /** A question for a number that people look at, so it may not cost much. */
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

    /** Leases that somebody else may have by now: there is nothing to keep. */
    private final Set<EndpointClaim> lostLeases = new HashSet<>();

    private Instant nextPollAt = Instant.MIN;
    private Instant nextReclaimAt = Instant.MIN;
    private Instant nextThrottleReportAt = Instant.MIN;
    private boolean moreIsDue;
    private boolean capacityFreed;
    private boolean stopping;

    /**
     * @param tokens never gives the same twice, on any server
     * @param wake called on any thread when a call has landed
     */
    SchedulerLoop(
            EndpointStore store,
            CallDispatcher dispatcher,
            EndpointPlanner planning,
            EndpointWorkerSettings settings,
            EndpointWorkerListener listener,
            Supplier<String> tokens,
            Runnable wake) {
        this.store = store;
        this.clock = store.clock();
        this.dispatcher = dispatcher;
        this.settings = settings;
        this.listener = listener;
        this.leaseTokens = tokens;
        this.wakeUp = wake;
        this.recorder = new RunRecorder(store, planning, listener);
    }

    /** Something may be due earlier than it was. */
    void pollSoon() {
        nextPollAt = Instant.MIN;
    }

    /** Nothing is claimed any more. */
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
     * One turn.
     *
     * @return when the next is due, if no call lands before that
     */
    Instant runOnce() {
        int landed = completeCalls();
        // Before anything else that may fail: what is held up longest needs it most.
        renewLeases();
        recorder.record(next -> nextPollAt = earlierOf(nextPollAt, next));
        if (!stopping && ((moreIsDue && capacityFreed) || !clock.instant().isBefore(nextPollAt))) {
            pollDue();
        }
        if (recorder.count() > 0 || landed == RunRecorder.MAX_BATCH) {
            // As many as fit into one turn: there may be others, and nobody calls for them again.
            return clock.instant();
        }
        Instant next = stopping ? Instant.MAX : nextPollAt;
        return next.isBefore(renewAt) ? next : renewAt;
    }

    /** Whether there is more to do than this worker can take on at once; then a landing is worth a turn at once. */
    boolean isSaturated() {
        return moreIsDue;
    }

    private int completeCalls() {
        List<FinishedCall> landed = inFlightCalls.drainFinished(RunRecorder.MAX_BATCH);
        capacityFreed |= !landed.isEmpty();
        List<EndpointClaim> aborted = new ArrayList<>();
        List<FinishedCall> ended = new ArrayList<>();
        for (FinishedCall each : landed) {
            if (each.result().failure().filter(Failure.ABORTED::equals).isPresent()) {
                aborted.add(each.call().claim());
            } else {
                ended.add(each);
            }
        }
        recorder.add(ended);
        if (!aborted.isEmpty()) {
            // Nobody knows whether the other side acted: the occurrence is left to the next worker, under its own key.
            store.release(aborted);
        }
        return landed.size();
    }

    /** A lease outlasts its call, so this is for calls and results that are held up by something else. */
    private void renewLeases() {
        Instant now = clock.instant();
        if (now.isBefore(renewAt)) {
            return;
        }
        Set<EndpointClaim> held = new LinkedHashSet<>(inFlightCalls.claims());
        held.addAll(recorder.claims());
        lostLeases.retainAll(held);
        held.removeAll(lostLeases);
        if (!held.isEmpty()) {
            Map<String, Instant> kept = store.renew(held, settings.leaseMargin());
            held.removeIf(claim -> kept.containsKey(claim.endpoint().id()));
            lostLeases.addAll(held);
            if (!held.isEmpty()) {
                listener.onLeaseLost(held.size());
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
            // A landing brings the next look.
            nextPollAt = clock.instant().plus(settings.pollInterval());
            reportThrottledHosts(full);
            return;
        }
        int claimed = claimAndStart(room);
        Set<String> fullNow = inFlightCalls.fullHosts(settings.concurrencyPerHost());
        Instant now = clock.instant();
        if (claimed < room && !full.containsAll(fullNow) && !now.isBefore(nextReclaimAt)) {
            // What is due of a host that had a little room may have hidden others. Looking past it is not free.
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
        // Not before the last question was answered: a look that failed half way is made again.
        capacityFreed = false;
        moreIsDue = claimed == room || !fullNow.isEmpty();
        reportThrottledHosts(fullNow);
    }

    /** A host may have as many calls under way as it may have without anything waiting for them to end. */
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
            renewAt = earlierOf(
                    renewAt, clock.instant().plus(settings.leaseMargin().dividedBy(2)));
        }
        claims.forEach(this::startCall);
        return claims.size();
    }

    private void startCall(EndpointClaim claim) {
        Instant now = clock.instant();
        Endpoint endpoint = claim.endpoint();
        InFlightCall flight = new InFlightCall(
                claim, endpoint.nextRun(), endpoint.nextRun().at().orElse(now), now);
        inFlightCalls.add(flight);
        if (claim.lease().attempt() > MAX_ATTEMPTS) {
            completeCalls(
                    flight,
                    lostResult("%d workers began it and ended before there was an answer".formatted(MAX_ATTEMPTS)),
                    true);
        } else if (endpoint.overrides()
                .pausedUntil()
                .filter(until -> until.isAfter(now))
                .isPresent()) {
            completeCalls(
                    flight,
                    lostResult("the worker that began it ended, and it was paused before it could be repeated"),
                    false);
        } else if (!now.plus(endpoint.definition().timeout())
                .isBefore(claim.lease().expiresAt())) {
            // The answer to the claim was on its way for so long that somebody else may have it before the call ends.
            completeCalls(
                    flight, CallResult.failed(Failure.ABORTED, "the lease could lapse before the call ends"), false);
        } else {
            dispatcher.dispatch(toCallRequest(claim), answer -> completeCalls(flight, answer, true));
        }
    }

    private static CallResult lostResult(String why) {
        return CallResult.failed(Failure.LOST, why);
    }

    private void completeCalls(InFlightCall flight, CallResult answer, boolean counts) {
        inFlightCalls.finish(new FinishedCall(flight, answer, clock.instant(), counts));
        wakeUp.run();
    }

    private static CallRequest toCallRequest(EndpointClaim claim) {
        EndpointDefinition definition = claim.endpoint().definition();
        return new CallRequest(
                definition.url(),
                definition.method(),
                definition.headers(),
                definition.body(),
                definition.timeout(),
                claim.endpoint().runId(),
                definition.signingKey());
    }

    private static Instant earlierOf(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }
}
