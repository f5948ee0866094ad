package dev.escapement.endpoints.worker;

import dev.escapement.endpoints.Definition;
import dev.escapement.endpoints.Endpoint;
import dev.escapement.endpoints.Planning;
import dev.escapement.endpoints.call.Answer;
import dev.escapement.endpoints.call.Answer.Failure;
import dev.escapement.endpoints.call.Call;
import dev.escapement.endpoints.call.Dispatcher;
import dev.escapement.endpoints.store.Claim;
import dev.escapement.endpoints.store.Demand;
import dev.escapement.endpoints.store.Due;
import dev.escapement.endpoints.store.EndpointStore;
import dev.escapement.endpoints.worker.Flight.Landed;
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
final class Turns {

    /** After so many workers died with it, it is not given to the next. */
    static final int MOST_ATTEMPTS = 5;

    /** When nothing waits, turns come so far apart at least, so that what belongs together goes together. */
    static final Duration BREATH = Duration.ofMillis(10);

    /** How often it is worth reading past everything that is due of hosts that are full. */
    private static final Duration LOOK_PAST_FULL = Duration.ofMillis(50);

    /** A question for a number that people look at, so it may not cost much. */
    private static final Duration TELL_HELD_BACK = Duration.ofSeconds(1);

    private final EndpointStore store;
    private final InstantSource clock;
    private final Dispatcher dispatcher;
    private final WorkerSettings settings;
    private final WorkerListener listener;
    private final Supplier<String> tokens;
    private final Runnable wake;
    private final Flights flights = new Flights();
    private final Recorder recorder;

    private Instant renewAt = Instant.MAX;

    /** Leases that somebody else may have by now: there is nothing to keep. */
    private final Set<Claim> lost = new HashSet<>();

    private Instant lookAt = Instant.MIN;
    private Instant lookPastFullAt = Instant.MIN;
    private Instant tellHeldBackAt = Instant.MIN;
    private boolean more;
    private boolean freed;
    private boolean stopping;

    /**
     * @param tokens never gives the same twice, on any server
     * @param wake called on any thread when a call has landed
     */
    Turns(
            EndpointStore store,
            Dispatcher dispatcher,
            Planning planning,
            WorkerSettings settings,
            WorkerListener listener,
            Supplier<String> tokens,
            Runnable wake) {
        this.store = store;
        this.clock = store.clock();
        this.dispatcher = dispatcher;
        this.settings = settings;
        this.listener = listener;
        this.tokens = tokens;
        this.wake = wake;
        this.recorder = new Recorder(store, planning, listener);
    }

    /** Something may be due earlier than it was. */
    void lookSoon() {
        lookAt = Instant.MIN;
    }

    /** Nothing is claimed any more. */
    void stop() {
        stopping = true;
    }

    int inFlight() {
        return flights.count();
    }

    int unrecorded() {
        return recorder.count();
    }

    /**
     * One turn.
     *
     * @return when the next is due, if no call lands before that
     */
    Instant turn() {
        int landed = land();
        // Before anything else that may fail: what is held up longest needs it most.
        keepLeases();
        recorder.record(next -> lookAt = earlier(lookAt, next));
        if (!stopping && ((more && freed) || !clock.instant().isBefore(lookAt))) {
            look();
        }
        if (recorder.count() > 0 || landed == Recorder.MOST) {
            // As many as fit into one turn: there may be others, and nobody calls for them again.
            return clock.instant();
        }
        Instant next = stopping ? Instant.MAX : lookAt;
        return next.isBefore(renewAt) ? next : renewAt;
    }

    /** Whether there is more to do than this worker can take on at once; then a landing is worth a turn at once. */
    boolean isPressed() {
        return more;
    }

    private int land() {
        List<Landed> landed = flights.collect(Recorder.MOST);
        freed |= !landed.isEmpty();
        List<Claim> aborted = new ArrayList<>();
        List<Landed> ended = new ArrayList<>();
        for (Landed each : landed) {
            if (each.answer().failure().filter(Failure.ABORTED::equals).isPresent()) {
                aborted.add(each.flight().claim());
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
    private void keepLeases() {
        Instant now = clock.instant();
        if (now.isBefore(renewAt)) {
            return;
        }
        Set<Claim> held = new LinkedHashSet<>(flights.claims());
        held.addAll(recorder.claims());
        lost.retainAll(held);
        held.removeAll(lost);
        if (!held.isEmpty()) {
            Map<String, Instant> kept = store.renew(held, settings.margin());
            held.removeIf(claim -> kept.containsKey(claim.endpoint().id()));
            lost.addAll(held);
            if (!held.isEmpty()) {
                listener.leaseLost(held.size());
            }
        }
        renewAt = flights.count() + recorder.count() == 0
                ? Instant.MAX
                : now.plus(settings.margin().dividedBy(2));
    }

    private void look() {
        int room = settings.concurrency() - flights.count() - recorder.count();
        Set<String> full = flights.fullHosts(settings.perHost());
        if (room <= 0) {
            more = true;
            // A landing brings the next look.
            lookAt = clock.instant().plus(settings.lookEvery());
            tellWhoIsHeldBack(full);
            return;
        }
        int claimed = claim(room);
        Set<String> fullNow = flights.fullHosts(settings.perHost());
        Instant now = clock.instant();
        if (claimed < room && !full.containsAll(fullNow) && !now.isBefore(lookPastFullAt)) {
            // What is due of a host that had a little room may have hidden others. Looking past it is not free.
            lookPastFullAt = now.plus(LOOK_PAST_FULL);
            claimed += claim(room - claimed);
        }
        if (claimed > 0) {
            lookAt = claimed == room ? now : now.plus(BREATH);
        } else {
            Due due = store.nextDue(full);
            Instant latest = due.now().plus(settings.lookEvery());
            lookAt = due.at().filter(latest::isAfter).orElse(latest);
        }
        // Not before the last question was answered: a look that failed half way is made again.
        freed = false;
        more = claimed == room || !fullNow.isEmpty();
        tellWhoIsHeldBack(fullNow);
    }

    /** A host may have as many calls under way as it may have without anything waiting for them to end. */
    private void tellWhoIsHeldBack(Set<String> full) {
        Instant now = clock.instant();
        if (!full.isEmpty() && !now.isBefore(tellHeldBackAt)) {
            tellHeldBackAt = now.plus(TELL_HELD_BACK);
            store.due(full).forEach(listener::throttled);
        }
    }

    private int claim(int room) {
        List<Claim> claims = store.claim(new Demand(
                settings.worker(), tokens.get(), room, settings.perHost(), flights.busy(), settings.margin()));
        listener.claimed(claims.size());
        if (!claims.isEmpty()) {
            renewAt = earlier(renewAt, clock.instant().plus(settings.margin().dividedBy(2)));
        }
        claims.forEach(this::begin);
        return claims.size();
    }

    private void begin(Claim claim) {
        Instant now = clock.instant();
        Endpoint endpoint = claim.endpoint();
        Flight flight =
                new Flight(claim, endpoint.planned(), endpoint.planned().at().orElse(now), now);
        flights.begin(flight);
        if (claim.lease().attempt() > MOST_ATTEMPTS) {
            land(
                    flight,
                    lost("%d workers began it and ended before there was an answer".formatted(MOST_ATTEMPTS)),
                    true);
        } else if (endpoint.steering()
                .pausedUntil()
                .filter(until -> until.isAfter(now))
                .isPresent()) {
            land(flight, lost("the worker that began it ended, and it was paused before it could be repeated"), false);
        } else if (!now.plus(endpoint.definition().timeout())
                .isBefore(claim.lease().until())) {
            // The answer to the claim was on its way for so long that somebody else may have it before the call ends.
            land(flight, Answer.failed(Failure.ABORTED, "the lease could lapse before the call ends"), false);
        } else {
            dispatcher.dispatch(call(claim), answer -> land(flight, answer, true));
        }
    }

    private static Answer lost(String why) {
        return Answer.failed(Failure.LOST, why);
    }

    private void land(Flight flight, Answer answer, boolean counts) {
        flights.land(new Landed(flight, answer, clock.instant(), counts));
        wake.run();
    }

    private static Call call(Claim claim) {
        Definition definition = claim.endpoint().definition();
        return new Call(
                definition.url(),
                definition.method(),
                definition.headers(),
                definition.body(),
                definition.timeout(),
                claim.endpoint().occurrence(),
                definition.signingKey());
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }
}
