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

/** The invariants of a {@link WorkerSimulation}. */
final class WorkerInvariants {

    /** Jitter is ten percent. */
    private static final double MIN_JITTER_FACTOR = 0.9;

    private final EndpointStore store;
    private final InstantSource clock;

    /** The worker that last called with an idempotency key. */
    private final Map<String, String> lastCallerByKey = new HashMap<>();

    /** The slot that an idempotency key was first used for. */
    private final Map<String, Instant> slotByKey = new HashMap<>();

    /** The shortest interval that each endpoint ever had; runs planned with another wait longer. */
    private final Map<String, Duration> minIntervalById = new HashMap<>();

    WorkerInvariants(EndpointStore store, InstantSource clock) {
        this.store = store;
        this.clock = clock;
    }

    void recordInterval(String id, Duration interval) {
        minIntervalById.merge(id, interval, (one, other) -> one.compareTo(other) < 0 ? one : other);
    }

    /** Checks that the worker may make this call now. */
    void checkCall(String worker, CallRequest call, String key) {
        Instant now = clock.instant();
        String id = key.substring(0, key.lastIndexOf('-'));
        StoredEndpoint stored = store.get(id).orElseThrow();
        ScheduledEndpoint endpoint = stored.endpoint();
        require(key.equals(endpoint.runId()), "called for another run", worker, key);
        require(
                stored.lease()
                        .filter(lease -> lease.workerName().equals(worker))
                        .isPresent(),
                "called without a lease",
                worker,
                key);
        require(
                stored.lease().orElseThrow().expiresAt().isAfter(now.plus(call.timeout())),
                "the lease may expire during the call",
                worker,
                key);
        require(!endpoint.nextRun().at().orElseThrow().isAfter(now), "called before the slot", worker, key);
        require(
                endpoint.overrides()
                        .pausedUntil()
                        .filter(until -> until.isAfter(now))
                        .isEmpty(),
                "called while paused",
                worker,
                key);
        Instant slot = endpoint.nextRun().at().orElseThrow();
        Instant first = slotByKey.putIfAbsent(key, slot);
        require(first == null || first.equals(slot), "same idempotency key for two slots", worker, key, slot);
        lastCallerByKey.put(key, worker);
    }

    /** Checks the histories, and that no due endpoint is left. */
    void checkFinalState(List<String> ids) {
        ids.forEach(this::checkRuns);
        require(store.backlog().waiting() == 0, "due endpoints are not claimed", store.backlog());
    }

    private void checkRuns(String id) {
        StoredEndpoint stored = store.get(id).orElseThrow();
        List<FinishedRun> runs =
                new ArrayList<>(store.listRuns(new RunFilter(Optional.of(id), Optional.empty()), "", 100_000)
                        .items());
        Collections.reverse(runs);
        require(runs.size() == stored.endpoint().nextRunNumber() - 1, "number of runs differs", id, runs.size());
        for (int i = 0; i < runs.size(); i++) {
            FinishedRun run = runs.get(i);
            require(run.number() == i + 1L, "a run is missing before", run);
            require(!run.startedAt().isBefore(run.slot()), "started before its slot", run);
            Instant called = slotByKey.getOrDefault(run.id(), run.slot());
            require(called.equals(run.slot()), "called for another slot than it is recorded for", run, called);
            if (run.callResult().failure().filter(Failure.LOST::equals).isEmpty()) {
                require(
                        run.workerName().equals(lastCallerByKey.get(run.id())),
                        "recorded by another worker than the last caller",
                        run);
            } else {
                require(run.attempt() > 1, "given up at the first attempt", run);
            }
            // A run that was paused before it was repeated is neither success nor failure.
            boolean counts = !run.callResult().error().contains("paused");
            int expected = run.callResult().isSuccess() ? 0 : run.failuresBefore() + (counts ? 1 : 0);
            require(run.failuresAfter() == expected, "failures counted wrongly", run);
            if (i > 0) {
                checkSuccession(Objects.requireNonNull(minIntervalById.get(id)), runs.get(i - 1), run);
            }
        }
    }

    private static void checkSuccession(Duration interval, FinishedRun before, FinishedRun run) {
        require(
                run.failuresBefore() == before.failuresAfter() || run.failuresBefore() == 0,
                "failures do not continue those of the previous run",
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

    /** Cheaper than an assertion library, because it runs thousands of times per simulation. */
    private static void require(boolean holds, String otherwise, Object... arguments) {
        if (!holds) {
            throw new AssertionError(otherwise + ": " + List.of(arguments));
        }
    }
}
