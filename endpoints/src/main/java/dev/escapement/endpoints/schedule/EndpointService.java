package dev.escapement.endpoints.schedule;

import dev.escapement.endpoints.model.Endpoint;
import dev.escapement.endpoints.model.EndpointDefinition;
import dev.escapement.endpoints.model.EndpointDocumentReader.DesiredEndpoint;
import dev.escapement.endpoints.model.EndpointOverrides;
import dev.escapement.endpoints.model.EndpointPause;
import dev.escapement.endpoints.model.PlannedRun;
import dev.escapement.endpoints.model.RunNowRequest;
import dev.escapement.endpoints.model.StoredEndpoint;
import dev.escapement.endpoints.model.StoredEndpointCodec;
import dev.escapement.endpoints.store.EndpointChange;
import dev.escapement.endpoints.store.EndpointStore;
import dev.escapement.governor.plan.Hint;
import dev.escapement.governor.plan.RunHistory;
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
 * What people ask of endpoints. Every wish acts at once: an endpoint that is waiting is planned anew in the same write,
 * and one that is being run is planned from the new state when its run ends.
 */
public final class EndpointService {

    /** A pause without an end. */
    public static final Instant INDEFINITE_PAUSE_END = Instant.parse("9999-12-31T00:00:00Z");

    private static final int MAX_HINTS = 20;

    private final EndpointStore store;
    private final EndpointPlanner planner;
    private final Supplier<String> idGenerator;

    /** @param ids never gives the same twice, on any server; short, and without dots */
    public EndpointService(EndpointStore store, EndpointPlanner planning, Supplier<String> ids) {
        this.store = store;
        this.planner = planning;
        this.idGenerator = ids;
    }

    /** What there is. */
    public EndpointStore store() {
        return store;
    }

    /**
     * A new endpoint.
     *
     * @throws EndpointNameTakenException if there is one of that name
     */
    public StoredEndpoint create(DesiredEndpoint wanted) {
        Endpoint endpoint = newEndpoint(wanted);
        if (!store.apply(List.of(new EndpointChange.Create(endpoint)))) {
            throw new EndpointNameTakenException(wanted.definition().name());
        }
        return store.get(endpoint.id()).orElseThrow();
    }

    /**
     * Many at once, all or none: those that are there become what is wanted, the others are made.
     *
     * @param read makes what is wanted of each, given the definition that is there
     */
    public void upsertAll(List<String> names, Function<Map<String, StoredEndpoint>, List<DesiredEndpoint>> read) {
        boolean made = store.apply(names, there -> {
            List<EndpointChange> writes = new ArrayList<>();
            for (DesiredEndpoint wanted : read.apply(there)) {
                Optional<StoredEndpoint> seen =
                        Optional.ofNullable(there.get(wanted.definition().name()));
                if (seen.isEmpty()) {
                    writes.add(new EndpointChange.Create(newEndpoint(wanted)));
                } else if (!isUpToDate(seen.get().endpoint(), wanted)) {
                    writes.add(new EndpointChange.Update(seen.get(), applyDesired(seen.get(), wanted)));
                }
            }
            return writes;
        });
        if (!made) {
            throw new EndpointConflictException("somebody else has just made one of these endpoints");
        }
    }

    /** Who brings the same file again disturbs nobody: what is as it should be is not planned anew. */
    public static boolean isUpToDate(Endpoint there, DesiredEndpoint wanted) {
        EndpointOverrides steering = there.overrides().pausedUntil(wanted.pausedUntil());
        return StoredEndpointCodec.write(there.definition(), there.overrides())
                .equals(StoredEndpointCodec.write(wanted.definition(), steering));
    }

    /**
     * The endpoint becomes what is wanted.
     *
     * @param read makes what is wanted, given the endpoint that is there: who changes a part keeps the rest of it, its
     *     pause too
     * @throws EndpointNameTakenException if it is to be called what another is called
     */
    public Optional<StoredEndpoint> update(String name, Function<Endpoint, DesiredEndpoint> read) {
        return edit(name, seen -> applyDesired(seen, read.apply(seen.endpoint())));
    }

    /** Nothing runs before its end. */
    public Optional<StoredEndpoint> pause(String name, EndpointPause pause) {
        return updateOverrides(name, steering -> steering.pause(Optional.of(pause)));
    }

    /** The pause ends now. */
    public Optional<StoredEndpoint> resume(String name) {
        return updateOverrides(name, steering -> steering.pause(Optional.empty()));
    }

    /**
     * One run at once, whatever clamps and backoff say; after the one that is going on, if one is.
     *
     * @throws EndpointPausedException if it is paused
     */
    public Optional<StoredEndpoint> runNow(String name, String author, String reason) {
        return edit(name, seen -> {
            Instant now = store.clock().instant();
            seen.endpoint()
                    .overrides()
                    .pause()
                    .filter(pause -> pause.until().isAfter(now))
                    .ifPresent(pause -> {
                        throw new EndpointPausedException(name, pause);
                    });
            RunNowRequest wish = new RunNowRequest(now, author, reason);
            return replan(
                    seen,
                    seen.endpoint().overrides().runRequest(wish),
                    seen.endpoint().history());
        });
    }

    /** Failures are forgotten: back to the baseline. */
    public Optional<StoredEndpoint> resetFailures(String name) {
        return edit(
                name,
                seen -> replan(
                        seen,
                        seen.endpoint().overrides(),
                        seen.endpoint().history().withoutFailures()));
    }

    /**
     * One more hint. Those that have expired or were answered make room.
     *
     * @param hint given the time, the hint
     */
    public Optional<StoredEndpoint> addHint(String name, Function<Instant, Hint> hint) {
        return edit(name, seen -> {
            Instant now = store.clock().instant();
            Endpoint endpoint = seen.endpoint();
            List<Hint> hints = new ArrayList<>(endpoint.overrides().hints());
            hints.removeIf(old -> old.isExpired(now) || endpoint.history().hasFulfilled(old));
            hints.add(hint.apply(now));
            if (hints.size() > MAX_HINTS) {
                throw new IllegalArgumentException(
                        "endpoint %s has %d hints already: remove them, or wait until one expires"
                                .formatted(name, MAX_HINTS));
            }
            return replan(seen, endpoint.overrides().hints(hints), endpoint.history());
        });
    }

    /** No hints any more. */
    public Optional<StoredEndpoint> clearHints(String name) {
        return updateOverrides(name, steering -> steering.hints(List.of()));
    }

    /** The end of it; its history stays, its name is free. */
    public Optional<StoredEndpoint> archive(String name) {
        return updateOverrides(name, EndpointOverrides::archive);
    }

    private Optional<StoredEndpoint> updateOverrides(String name, Function<EndpointOverrides, EndpointOverrides> how) {
        return edit(
                name,
                seen -> replan(
                        seen,
                        how.apply(seen.endpoint().overrides()),
                        seen.endpoint().history()));
    }

    private Optional<StoredEndpoint> edit(String name, Function<StoredEndpoint, Endpoint> how) {
        AtomicReference<Optional<Endpoint>> changed = new AtomicReference<>(Optional.empty());
        boolean made = store.apply(Set.of(name), there -> {
            Optional<EndpointChange.Update> change =
                    Optional.ofNullable(there.get(name)).map(seen -> new EndpointChange.Update(seen, how.apply(seen)));
            changed.set(change.map(EndpointChange.Update::updated));
            return change.<List<EndpointChange>>map(List::of).orElse(List.of());
        });
        Optional<Endpoint> next = Optional.ofNullable(changed.get()).flatMap(Function.identity());
        if (!made) {
            throw new EndpointNameTakenException(
                    next.map(endpoint -> endpoint.definition().name()).orElse(name));
        }
        return next.flatMap(endpoint -> store.get(endpoint.id()));
    }

    private Endpoint newEndpoint(DesiredEndpoint wanted) {
        Instant now = store.clock().instant();
        String id = idGenerator.get();
        EndpointOverrides steering = EndpointOverrides.NONE.pausedUntil(wanted.pausedUntil());
        RunHistory history = RunHistory.initial(now);
        PlannedRun planned = planner.plan(id, wanted.definition(), steering, history, now);
        return new Endpoint(id, now, wanted.definition(), steering, history, 1, planned, Optional.empty());
    }

    /** Another baseline begins its grid now; the rest of the past stays. */
    private Endpoint applyDesired(StoredEndpoint seen, DesiredEndpoint wanted) {
        Endpoint old = seen.endpoint();
        boolean sameBeat = old.definition()
                .baseline()
                .toString()
                .equals(wanted.definition().baseline().toString());
        RunHistory history = sameBeat
                ? old.history()
                : old.history().withOrigin(store.clock().instant());
        EndpointOverrides steering = old.overrides().pausedUntil(wanted.pausedUntil());
        return replan(seen, wanted.definition(), steering, history);
    }

    private Endpoint replan(StoredEndpoint seen, EndpointOverrides steering, RunHistory history) {
        return replan(seen, seen.endpoint().definition(), steering, history);
    }

    /**
     * An occurrence that somebody has begun, or whose time has come, keeps its slot: it is still to be called, or to be
     * found again if its worker died, and its key must not become another's. Only a pause beats what nobody has begun.
     */
    private Endpoint replan(
            StoredEndpoint seen, EndpointDefinition definition, EndpointOverrides steering, RunHistory history) {
        Instant now = store.clock().instant();
        Endpoint old = seen.endpoint();
        boolean isDue = old.nextRun().at().filter(slot -> !slot.isAfter(now)).isPresent();
        boolean isPaused =
                steering.pausedUntil().filter(until -> until.isAfter(now)).isPresent();
        boolean keepsItsSlot = !steering.archived() && (seen.hasBeenAttempted() || (isDue && !isPaused));
        PlannedRun planned = keepsItsSlot ? old.nextRun() : planner.plan(old.id(), definition, steering, history, now);
        return old.withChanges(definition, steering, history, planned);
    }
}
