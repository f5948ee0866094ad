package dev.escapement.endpoints;

import dev.escapement.endpoints.EndpointDocument.Wanted;
import dev.escapement.endpoints.store.EndpointStore;
import dev.escapement.endpoints.store.Stored;
import dev.escapement.endpoints.store.Write;
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
public final class Endpoints {

    /** A pause without an end. */
    public static final Instant FOR_GOOD = Instant.parse("9999-12-31T00:00:00Z");

    private static final int MOST_HINTS = 20;

    private final EndpointStore store;
    private final Planning planning;
    private final Supplier<String> ids;

    /** @param ids never gives the same twice, on any server; short, and without dots */
    public Endpoints(EndpointStore store, Planning planning, Supplier<String> ids) {
        this.store = store;
        this.planning = planning;
        this.ids = ids;
    }

    /** What there is. */
    public EndpointStore store() {
        return store;
    }

    /**
     * A new endpoint.
     *
     * @throws NameTaken if there is one of that name
     */
    public Stored create(Wanted wanted) {
        Endpoint endpoint = fresh(wanted);
        if (!store.apply(List.of(new Write.Create(endpoint)))) {
            throw new NameTaken(wanted.definition().name());
        }
        return store.get(endpoint.id()).orElseThrow();
    }

    /**
     * Many at once, all or none: those that are there become what is wanted, the others are made.
     *
     * @param read makes what is wanted of each, given the definition that is there
     */
    public void bring(List<String> names, Function<Map<String, Stored>, List<Wanted>> read) {
        boolean made = store.apply(names, there -> {
            List<Write> writes = new ArrayList<>();
            for (Wanted wanted : read.apply(there)) {
                Optional<Stored> seen =
                        Optional.ofNullable(there.get(wanted.definition().name()));
                if (seen.isEmpty()) {
                    writes.add(new Write.Create(fresh(wanted)));
                } else if (!isSo(seen.get().endpoint(), wanted)) {
                    writes.add(new Write.Change(seen.get(), become(seen.get(), wanted)));
                }
            }
            return writes;
        });
        if (!made) {
            throw new Contended("somebody else has just made one of these endpoints");
        }
    }

    /** Who brings the same file again disturbs nobody: what is as it should be is not planned anew. */
    public static boolean isSo(Endpoint there, Wanted wanted) {
        Steering steering = there.steering().pausedUntil(wanted.pausedUntil());
        return StoredDocument.write(there.definition(), there.steering())
                .equals(StoredDocument.write(wanted.definition(), steering));
    }

    /**
     * The endpoint becomes what is wanted.
     *
     * @param read makes what is wanted, given the endpoint that is there: who changes a part keeps the rest of it, its
     *     pause too
     * @throws NameTaken if it is to be called what another is called
     */
    public Optional<Stored> change(String name, Function<Endpoint, Wanted> read) {
        return edit(name, seen -> become(seen, read.apply(seen.endpoint())));
    }

    /** Nothing runs before its end. */
    public Optional<Stored> pause(String name, Pause pause) {
        return steer(name, steering -> steering.pause(Optional.of(pause)));
    }

    /** The pause ends now. */
    public Optional<Stored> resume(String name) {
        return steer(name, steering -> steering.pause(Optional.empty()));
    }

    /**
     * One run at once, whatever clamps and backoff say; after the one that is going on, if one is.
     *
     * @throws Paused if it is paused
     */
    public Optional<Stored> runNow(String name, String author, String reason) {
        return edit(name, seen -> {
            Instant now = store.clock().instant();
            seen.endpoint()
                    .steering()
                    .pause()
                    .filter(pause -> pause.until().isAfter(now))
                    .ifPresent(pause -> {
                        throw new Paused(name, pause);
                    });
            RunRequest wish = new RunRequest(now, author, reason);
            return planned(
                    seen,
                    seen.endpoint().steering().runRequest(wish),
                    seen.endpoint().history());
        });
    }

    /** Failures are forgotten: back to the baseline. */
    public Optional<Stored> resetFailures(String name) {
        return edit(
                name,
                seen -> planned(
                        seen,
                        seen.endpoint().steering(),
                        seen.endpoint().history().withoutFailures()));
    }

    /**
     * One more hint. Those that have expired or were answered make room.
     *
     * @param hint given the time, the hint
     */
    public Optional<Stored> hint(String name, Function<Instant, Hint> hint) {
        return edit(name, seen -> {
            Instant now = store.clock().instant();
            Endpoint endpoint = seen.endpoint();
            List<Hint> hints = new ArrayList<>(endpoint.steering().hints());
            hints.removeIf(old -> old.isExpired(now) || endpoint.history().hasFulfilled(old));
            hints.add(hint.apply(now));
            if (hints.size() > MOST_HINTS) {
                throw new IllegalArgumentException(
                        "endpoint %s has %d hints already: remove them, or wait until one expires"
                                .formatted(name, MOST_HINTS));
            }
            return planned(seen, endpoint.steering().hints(hints), endpoint.history());
        });
    }

    /** No hints any more. */
    public Optional<Stored> clearHints(String name) {
        return steer(name, steering -> steering.hints(List.of()));
    }

    /** The end of it; its history stays, its name is free. */
    public Optional<Stored> archive(String name) {
        return steer(name, Steering::archive);
    }

    private Optional<Stored> steer(String name, Function<Steering, Steering> how) {
        return edit(
                name,
                seen -> planned(
                        seen,
                        how.apply(seen.endpoint().steering()),
                        seen.endpoint().history()));
    }

    private Optional<Stored> edit(String name, Function<Stored, Endpoint> how) {
        AtomicReference<Optional<Endpoint>> changed = new AtomicReference<>(Optional.empty());
        boolean made = store.apply(Set.of(name), there -> {
            Optional<Write.Change> change =
                    Optional.ofNullable(there.get(name)).map(seen -> new Write.Change(seen, how.apply(seen)));
            changed.set(change.map(Write.Change::next));
            return change.<List<Write>>map(List::of).orElse(List.of());
        });
        Optional<Endpoint> next = Optional.ofNullable(changed.get()).flatMap(Function.identity());
        if (!made) {
            throw new NameTaken(
                    next.map(endpoint -> endpoint.definition().name()).orElse(name));
        }
        return next.flatMap(endpoint -> store.get(endpoint.id()));
    }

    private Endpoint fresh(Wanted wanted) {
        Instant now = store.clock().instant();
        String id = ids.get();
        Steering steering = Steering.NONE.pausedUntil(wanted.pausedUntil());
        RunHistory history = RunHistory.initial(now);
        Planned planned = planning.plan(id, wanted.definition(), steering, history, now);
        return new Endpoint(id, now, wanted.definition(), steering, history, 1, planned, Optional.empty());
    }

    /** Another baseline begins its grid now; the rest of the past stays. */
    private Endpoint become(Stored seen, Wanted wanted) {
        Endpoint old = seen.endpoint();
        boolean sameBeat = old.definition()
                .baseline()
                .toString()
                .equals(wanted.definition().baseline().toString());
        RunHistory history = sameBeat
                ? old.history()
                : old.history().withOrigin(store.clock().instant());
        Steering steering = old.steering().pausedUntil(wanted.pausedUntil());
        return planned(seen, wanted.definition(), steering, history);
    }

    private Endpoint planned(Stored seen, Steering steering, RunHistory history) {
        return planned(seen, seen.endpoint().definition(), steering, history);
    }

    /**
     * An occurrence that somebody has begun, or whose time has come, keeps its slot: it is still to be called, or to be
     * found again if its worker died, and its key must not become another's. Only a pause beats what nobody has begun.
     */
    private Endpoint planned(Stored seen, Definition definition, Steering steering, RunHistory history) {
        Instant now = store.clock().instant();
        Endpoint old = seen.endpoint();
        boolean isDue = old.planned().at().filter(slot -> !slot.isAfter(now)).isPresent();
        boolean isPaused =
                steering.pausedUntil().filter(until -> until.isAfter(now)).isPresent();
        boolean keepsItsSlot = !steering.archived() && (seen.isBegun() || (isDue && !isPaused));
        Planned planned = keepsItsSlot ? old.planned() : planning.plan(old.id(), definition, steering, history, now);
        return old.changed(definition, steering, history, planned);
    }
}
