package dev.escapement.endpoints.schedule;

import dev.escapement.endpoints.model.EndpointDefinition;
import dev.escapement.endpoints.model.EndpointDefinition.DesiredEndpoint;
import dev.escapement.endpoints.model.EndpointMapper;
import dev.escapement.endpoints.model.EndpointOverrides;
import dev.escapement.endpoints.model.EndpointOverrides.EndpointPause;
import dev.escapement.endpoints.model.EndpointOverrides.RunNowRequest;
import dev.escapement.endpoints.model.ScheduledEndpoint;
import dev.escapement.endpoints.model.ScheduledEndpoint.PlannedRun;
import dev.escapement.endpoints.model.StoredEndpoint;
import dev.escapement.endpoints.store.EndpointStore;
import dev.escapement.endpoints.store.EndpointStore.EndpointChange;
import dev.escapement.governor.plan.Hint;
import dev.escapement.governor.plan.RunHistory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Creates, changes, pauses, runs and archives endpoints on behalf of users. Every change replans the next run in the
 * same transaction; if a run is in progress, the next one is planned from the changed state when that run finishes.
 * Methods that take a name return the changed endpoint, or empty if no active endpoint has that name.
 *
 * @param idGenerator generates short ids without dots, unique across servers
 */
public record EndpointService(EndpointStore store, EndpointPlanner planner, Supplier<String> idGenerator) {

    private static final int MAX_HINTS = 20;

    /** Bounds how fast requests can make an endpoint run, also by an endpoint that calls this server. */
    static final Duration MIN_RUN_REQUEST_INTERVAL = Duration.ofSeconds(1);

    /**
     * Creates an endpoint.
     *
     * @throws EndpointNameTakenException if an active endpoint has that name
     */
    public StoredEndpoint create(DesiredEndpoint desired) {
        ScheduledEndpoint endpoint = newEndpoint(desired);
        if (!store.apply(List.of(new EndpointChange.Create(endpoint)))) {
            throw new EndpointNameTakenException(desired.definition().name());
        }
        return store.get(endpoint.id()).orElseThrow();
    }

    /**
     * Creates or updates endpoints in one transaction; those that are up to date are not replanned.
     *
     * @param toDesired returns the desired endpoints, given the existing ones by name
     * @throws EndpointConflictException if another client created one of them at the same time
     */
    public void upsertAll(List<String> names, Function<Map<String, StoredEndpoint>, List<DesiredEndpoint>> toDesired) {
        boolean applied = store.apply(names, existing -> {
            List<EndpointChange> changes = new ArrayList<>();
            for (DesiredEndpoint desired : toDesired.apply(existing)) {
                Optional<StoredEndpoint> stored =
                        Optional.ofNullable(existing.get(desired.definition().name()));
                if (stored.isEmpty()) {
                    changes.add(new EndpointChange.Create(newEndpoint(desired)));
                } else if (!isUpToDate(stored.get().endpoint(), desired)) {
                    changes.add(new EndpointChange.Update(stored.get(), applyDesired(stored.get(), desired)));
                }
            }
            return changes;
        });
        if (!applied) {
            throw new EndpointConflictException("another client has just created one of these endpoints");
        }
    }

    /** Whether an update to the desired state would change nothing. */
    public static boolean isUpToDate(ScheduledEndpoint existing, DesiredEndpoint desired) {
        EndpointOverrides overrides = existing.overrides().withPausedUntil(desired.pausedUntil());
        return EndpointMapper.toStored(existing.definition(), existing.overrides())
                .equals(EndpointMapper.toStored(desired.definition(), overrides));
    }

    /**
     * Updates an endpoint.
     *
     * @param toDesired returns the desired endpoint, given the existing one
     * @throws EndpointNameTakenException if its new name is taken
     */
    public Optional<StoredEndpoint> update(String name, Function<ScheduledEndpoint, DesiredEndpoint> toDesired) {
        return updateStored(name, stored -> applyDesired(stored, toDesired.apply(stored.endpoint())));
    }

    /** Starts no run before the end of the pause. */
    public Optional<StoredEndpoint> pause(String name, EndpointPause pause) {
        return updateOverrides(name, overrides -> overrides.withPause(Optional.of(pause)));
    }

    public Optional<StoredEndpoint> resume(String name) {
        return updateOverrides(name, overrides -> overrides.withPause(Optional.empty()));
    }

    /**
     * Requests a run at once, or right after the current run, regardless of clamps and backoff. While a requested run
     * has not started, another request changes nothing.
     *
     * @throws EndpointStateException if the endpoint is paused, or its last run was requested less than a second ago
     */
    public Optional<StoredEndpoint> runNow(String name, String author, String reason) {
        return updateStored(name, stored -> {
            Instant now = store.clock().instant();
            EndpointOverrides overrides = stored.endpoint().overrides();
            RunHistory history = stored.endpoint().history();
            overrides.pause().filter(pause -> pause.until().isAfter(now)).ifPresent(pause -> {
                throw EndpointStateException.paused(name, pause);
            });
            Optional<RunNowRequest> last = overrides.runRequest();
            boolean waiting = stored.attempts() == 0
                    && last.filter(request -> EndpointPlanner.isPending(request, history))
                            .isPresent();
            // A request in the future was made before the clock was set back.
            if (!waiting
                    && last.map(RunNowRequest::at)
                            .filter(at -> isRecent(at, now))
                            .isPresent()) {
                throw EndpointStateException.requestedTooOften(name);
            }
            EndpointOverrides requested =
                    waiting ? overrides : overrides.withRunRequest(new RunNowRequest(now, author, reason));
            return replan(stored, requested, history);
        });
    }

    private static boolean isRecent(Instant at, Instant now) {
        return !at.isAfter(now) && now.isBefore(at.plus(MIN_RUN_REQUEST_INTERVAL));
    }

    /** Resets the count of consecutive failures, which ends the backoff. */
    public Optional<StoredEndpoint> resetFailures(String name) {
        return updateStored(name, stored -> {
            ScheduledEndpoint endpoint = stored.endpoint();
            return replan(stored, endpoint.overrides(), endpoint.history().withoutFailures());
        });
    }

    /**
     * Adds a hint and removes expired and fulfilled ones.
     *
     * @param hint creates the hint, given the current time
     * @throws EndpointStateException if the endpoint has too many hints
     */
    public Optional<StoredEndpoint> addHint(String name, Function<Instant, Hint> hint) {
        return updateStored(name, stored -> {
            Instant now = store.clock().instant();
            ScheduledEndpoint endpoint = stored.endpoint();
            List<Hint> hints = new ArrayList<>(endpoint.overrides().hints());
            hints.removeIf(old -> old.isExpired(now) || endpoint.history().hasFulfilled(old));
            hints.add(hint.apply(now));
            if (hints.size() > MAX_HINTS) {
                throw EndpointStateException.tooManyHints(name, MAX_HINTS);
            }
            return replan(stored, endpoint.overrides().withHints(hints), endpoint.history());
        });
    }

    public Optional<StoredEndpoint> clearHints(String name) {
        return updateOverrides(name, overrides -> overrides.withHints(List.of()));
    }

    /** Archives the endpoint: it never runs again, its history is kept, its name can be reused. */
    public Optional<StoredEndpoint> archive(String name) {
        return updateOverrides(name, EndpointOverrides::archive);
    }

    private Optional<StoredEndpoint> updateOverrides(String name, Function<EndpointOverrides, EndpointOverrides> edit) {
        return updateStored(name, stored -> {
            ScheduledEndpoint endpoint = stored.endpoint();
            return replan(stored, edit.apply(endpoint.overrides()), endpoint.history());
        });
    }

    private Optional<StoredEndpoint> updateStored(String name, Function<StoredEndpoint, ScheduledEndpoint> edit) {
        AtomicReference<Optional<ScheduledEndpoint>> changed = new AtomicReference<>(Optional.empty());
        boolean applied = store.apply(Set.of(name), existing -> {
            Optional<EndpointChange.Update> change = Optional.ofNullable(existing.get(name))
                    .map(stored -> new EndpointChange.Update(stored, edit.apply(stored)));
            changed.set(change.map(EndpointChange::endpoint));
            return change.<List<EndpointChange>>map(List::of).orElse(List.of());
        });
        Optional<ScheduledEndpoint> result = Optional.ofNullable(changed.get()).flatMap(Function.identity());
        if (!applied) {
            throw new EndpointNameTakenException(
                    result.map(endpoint -> endpoint.definition().name()).orElse(name));
        }
        return result.flatMap(endpoint -> store.get(endpoint.id()));
    }

    private ScheduledEndpoint newEndpoint(DesiredEndpoint desired) {
        Instant now = store.clock().instant();
        String id = idGenerator.get();
        EndpointOverrides overrides = EndpointOverrides.NONE.withPausedUntil(desired.pausedUntil());
        RunHistory history = RunHistory.initial(now);
        PlannedRun nextRun = planner.plan(id, desired.definition(), overrides, history, now);
        return new ScheduledEndpoint(id, now, desired.definition(), overrides, history, 1, nextRun, Optional.empty());
    }

    /** A changed baseline counts its intervals from now; the rest of the history is kept. */
    private ScheduledEndpoint applyDesired(StoredEndpoint stored, DesiredEndpoint desired) {
        ScheduledEndpoint old = stored.endpoint();
        boolean sameBaseline = old.definition()
                .baseline()
                .toString()
                .equals(desired.definition().baseline().toString());
        RunHistory history = sameBaseline
                ? old.history()
                : old.history().withOrigin(store.clock().instant());
        EndpointOverrides overrides = old.overrides().withPausedUntil(desired.pausedUntil());
        return replan(stored, desired.definition(), overrides, history);
    }

    private ScheduledEndpoint replan(StoredEndpoint stored, EndpointOverrides overrides, RunHistory history) {
        return replan(stored, stored.endpoint().definition(), overrides, history);
    }

    /**
     * A run that has been attempted or is due keeps its slot: a worker will call it or, after a crash, call it again,
     * and its idempotency key must not be used for another slot. Only a pause moves a due run that was not attempted.
     */
    private ScheduledEndpoint replan(
            StoredEndpoint stored, EndpointDefinition definition, EndpointOverrides overrides, RunHistory history) {
        Instant now = store.clock().instant();
        ScheduledEndpoint old = stored.endpoint();
        boolean isDue = old.nextRun().at().filter(slot -> !slot.isAfter(now)).isPresent();
        boolean keepsSlot = !overrides.archived() && (stored.attempts() > 0 || (isDue && !overrides.isPaused(now)));
        PlannedRun nextRun = keepsSlot ? old.nextRun() : planner.plan(old.id(), definition, overrides, history, now);
        return old.withChanges(definition, overrides, history, nextRun);
    }

    /** Thrown if a concurrent change prevented an update. Nothing was changed; a retry may succeed. */
    public static final class EndpointConflictException extends RuntimeException {

        EndpointConflictException(String reason) {
            super(reason + "; nothing was changed: try again", null, false, false);
        }
    }

    /** Thrown if an active endpoint already has the name. */
    public static final class EndpointNameTakenException extends RuntimeException {

        EndpointNameTakenException(String name) {
            super(
                    "an endpoint named %s already exists: change that one, or choose another name".formatted(name),
                    null,
                    false,
                    false);
        }
    }
}
