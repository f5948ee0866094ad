package dev.escapement.endpoints.worker;

import dev.escapement.endpoints.http.CallRequest;
import dev.escapement.endpoints.http.CallResult.Failure;
import dev.escapement.endpoints.model.FinishedRun;
import dev.escapement.endpoints.model.ScheduledEndpoint;
import dev.escapement.endpoints.model.StoredEndpoint;
import dev.escapement.endpoints.store.EndpointStore;
import dev.escapement.endpoints.store.EndpointStore.RunFilter;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** What must hold in every life. */
final class WorkerInvariants {

    /** Jitter is ten percent. */
    private static final double MIN_JITTER_FACTOR = 0.9;

    private final EndpointStore store;
    private final InstantSource clock;

    /** Who called last under a key. */
    private final Map<String, String> lastCallerByKey = new HashMap<>();

    /** What a key was first used for. */
    private final Map<String, Instant> slotByKey = new HashMap<>();

    /** The shortest interval that an endpoint ever had: what was planned with another waits longer. */
    private final Map<String, Duration> minIntervalById = new HashMap<>();

    WorkerInvariants(EndpointStore store, InstantSource clock) {
        this.store = store;
        this.clock = clock;
    }

    /** An endpoint has this interval from now on. */
    void recordInterval(String id, Duration interval) {
        minIntervalById.merge(id, interval, (one, other) -> one.compareTo(other) < 0 ? one : other);
    }

    /** A worker makes a call: it must be its call to make, now. */
    void checkCall(String worker, CallRequest call) {
        Instant now = clock.instant();
        String id = call.idempotencyKey().substring(0, call.idempotencyKey().lastIndexOf('-'));
        StoredEndpoint stored = store.get(id).orElseThrow();
        ScheduledEndpoint endpoint = stored.endpoint();
        require(call.idempotencyKey().equals(endpoint.runId()), "another occurrence is called", worker, call);
        require(
                stored.lease()
                        .filter(lease -> lease.workerName().equals(worker))
                        .isPresent(),
                "called without a lease",
                worker,
                call);
        require(
                stored.lease().orElseThrow().expiresAt().isAfter(now.plus(call.timeout())),
                "the lease may lapse before the call ends",
                worker,
                call);
        require(!endpoint.nextRun().at().orElseThrow().isAfter(now), "called before the slot", worker, call);
        require(
                endpoint.overrides()
                        .pausedUntil()
                        .filter(until -> until.isAfter(now))
                        .isEmpty(),
                "what is paused is called",
                worker,
                call);
        Instant slot = endpoint.nextRun().at().orElseThrow();
        Instant first = slotByKey.putIfAbsent(call.idempotencyKey(), slot);
        require(first == null || first.equals(slot), "one key for two slots", worker, call, slot);
        lastCallerByKey.put(call.idempotencyKey(), worker);
    }

    /** In the end everything adds up. */
    void checkFinalState(List<String> ids) {
        ids.forEach(this::checkRuns);
        require(store.backlog().waiting() == 0, "something is due and nobody claims it", store.backlog());
    }

    private void checkRuns(String id) {
        StoredEndpoint stored = store.get(id).orElseThrow();
        List<FinishedRun> runs =
                new ArrayList<>(store.listRuns(new RunFilter(Optional.of(id), Optional.empty()), "", 100_000)
                        .items());
        Collections.reverse(runs);
        require(runs.size() == stored.endpoint().nextRunNumber() - 1, "another number of runs", id, runs.size());
        for (int i = 0; i < runs.size(); i++) {
            FinishedRun run = runs.get(i);
            require(run.number() == i + 1L, "a run is missing before", run);
            require(!run.startedAt().isBefore(run.slot()), "too early", run);
            Instant called = slotByKey.getOrDefault(run.id(), run.slot());
            require(called.equals(run.slot()), "called for another slot than it is recorded for", run, called);
            if (run.callResult().failure().filter(Failure.LOST::equals).isEmpty()) {
                require(
                        run.workerName().equals(lastCallerByKey.get(run.id())),
                        "recorded by another than who called last",
                        run);
            } else {
                require(run.attempt() > 1, "given up at the first attempt", run);
            }
            // What was paused before it could be repeated was not called, and says nothing about the other side.
            boolean counts = !run.callResult().error().contains("paused");
            int expected = run.callResult().isSuccess() ? 0 : run.failuresBefore() + (counts ? 1 : 0);
            require(run.failuresAfter() == expected, "counted wrongly", run);
            if (i > 0) {
                checkSuccession(Objects.requireNonNull(minIntervalById.get(id)), runs.get(i - 1), run);
            }
        }
    }

    private static void checkSuccession(Duration interval, FinishedRun before, FinishedRun run) {
        require(
                run.failuresBefore() == before.failuresAfter() || run.failuresBefore() == 0,
                "failures do not add up",
                run,
                before);
        require(run.slot().isAfter(before.slot()), "not after the slot before", run, before);
        if (run.failuresBefore() > 0) {
            require(!run.source().equals("BASELINE_INTERVAL"), "no backoff", run, before);
            if (run.source().equals("BACKOFF")) {
                long factor = 1L << Math.min(5, run.failuresBefore());
                long least = (long) (interval.toMillis() * factor * MIN_JITTER_FACTOR);
                long waited = Duration.between(before.endedAt(), run.slot()).toMillis();
                require(waited >= least, "waited too short", waited, least, run, before);
            }
        }
    }

    /** Cheaper than an assertion library where it is asked a thousand times in every life. */
    private static void require(boolean holds, String otherwise, Object... arguments) {
        if (!holds) {
            throw new AssertionError(otherwise + ": " + List.of(arguments));
        }
    }
}
