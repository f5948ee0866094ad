package dev.escapement.engine.request;

import static java.util.Objects.requireNonNull;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.Status;
import dev.escapement.engine.port.Directory;
import dev.escapement.engine.port.Store;
import dev.escapement.engine.port.Versioned;
import dev.escapement.engine.port.Write;
import dev.escapement.governor.Policy;
import dev.escapement.governor.Target;
import dev.escapement.governor.gate.Decision;
import dev.escapement.governor.gate.Gate;
import dev.escapement.governor.gate.Request;
import dev.escapement.governor.ledger.Clearance;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import dev.escapement.governor.ledger.Past;
import dev.escapement.governor.ledger.Retry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * What people ask for. Each request is one compare-and-set; one that finds something else in between looks again, so
 * that nobody's wish is lost to a status that changed at the same moment.
 */
public final class Requests {

    /** An execution or an entry changes a handful of times in its life: more than this is a store that lies. */
    private static final int ATTEMPTS = 100;

    private static final ExecutionRef NOBODY = new ExecutionRef("", "a-question", "none");

    private final Store store;
    private final Directory directory;
    private final Supplier<Policy> policy;

    /** @param policy asked at every request, so that a change acts at once */
    public Requests(Store store, Directory directory, Supplier<Policy> policy) {
        this.store = requireNonNull(store, "store is null");
        this.directory = requireNonNull(directory, "directory is null");
        this.policy = requireNonNull(policy, "policy is null");
    }

    /** Accepts an execution. Returns false if its namespace has one of that name. */
    public boolean create(Execution asked) {
        return store.apply(List.of(new Write.Create(asked)));
    }

    /**
     * Notes that an execution is to stop. One that is over, or that somebody has cancelled before, stays as it is.
     *
     * @return the execution with the wish; empty if there is none of that name
     */
    public Optional<Versioned<Execution>> cancel(String namespace, String name, String by, Instant now) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Optional<Versioned<Execution>> seen = directory.named(namespace, name);
            if (seen.isEmpty() || isSettled(seen.get().value())) {
                return seen;
            }
            if (store.apply(List.of(new Write.CancelOf(seen.get(), by, now)))) {
                return store.execution(seen.get().value().ref());
            }
        }
        throw new IllegalStateException("execution %s/%s changes all the time".formatted(namespace, name));
    }

    private static boolean isSettled(Execution execution) {
        return execution.status() instanceof Status.Final
                || execution.cancelledBy().isPresent();
    }

    /**
     * Deletes an execution, and what the ledger remembers of it if the policy has it so. Whatever it holds or has
     * prepared is cleaned up by {@link dev.escapement.engine.Engine#deleted}.
     *
     * @return the execution as it was; empty if there is none of that name
     */
    public Optional<Execution> delete(String namespace, String name, String by, Instant now) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Optional<Versioned<Execution>> seen = directory.named(namespace, name);
            if (seen.isEmpty() || store.apply(deletion(seen.get(), by, now))) {
                return seen.map(Versioned::value);
            }
        }
        throw new IllegalStateException("execution %s/%s changes all the time".formatted(namespace, name));
    }

    private List<Write> deletion(Versioned<Execution> seen, String by, Instant now) {
        Execution execution = seen.value();
        // First: without transactions a crash in between leaves a block too many, not one too few.
        List<Write> writes = new ArrayList<>(List.of(new Write.DeleteOf(seen, by, now)));
        Target.parsed(execution.spec().targetResource()).map(store::entry).ifPresent(entry -> {
            LedgerEntry forgotten = entry.value().forget(execution.ref(), policy.get());
            if (!forgotten.equals(entry.value())) {
                writes.add(new Write.Entry(entry, forgotten, now));
            }
        });
        return writes;
    }

    /**
     * Lifts every block of a target and forgets its failures, in a person's name.
     *
     * @return the entry afterwards; empty if there is nothing to clear
     */
    public Optional<Versioned<LedgerEntry>> clear(Target target, Clearance clearance) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Versioned<LedgerEntry> entry = released(store.currentEntry(target));
            Optional<LedgerEntry> cleared = entry.value().clear(clearance);
            if (cleared.isEmpty()) {
                return Optional.empty();
            }
            List<Write> writes = new ArrayList<>();
            culprits(entry.value()).stream()
                    .flatMap(ref -> store.execution(ref).stream())
                    .map(seen -> new Write.ClearanceOf(seen, clearance))
                    .forEach(writes::add);
            // Last: once it is cleared, nobody knows any more which executions it was about.
            writes.add(new Write.Entry(entry, cleared.get(), clearance.at()));
            if (store.apply(writes)) {
                return Optional.of(store.entry(target));
            }
        }
        throw new IllegalStateException("the ledger entry of " + target + " changes all the time");
    }

    /**
     * Everybody can see that an execution has failed a moment before its target is released, and may clear the block at
     * once: then the release is made here, by the same write as ever.
     */
    private Versioned<LedgerEntry> released(Versioned<LedgerEntry> entry) {
        if (!(entry.value() instanceof Held held)) {
            return entry;
        }
        return ended(held)
                .map(ended -> new Write.Entry(
                        entry, held.release(ended.outcome(), ended.completionTime()), ended.completionTime()))
                .map(release -> {
                    // Whoever was quicker has released it too.
                    store.apply(List.of(release));
                    return store.currentEntry(held.target());
                })
                .orElse(entry);
    }

    private Optional<Status.Final> ended(Held held) {
        return store.execution(held.holder().execution())
                .map(holder -> holder.value().status())
                .filter(Status.Final.class::isInstance)
                .map(Status.Final.class::cast);
    }

    /** The executions that the clearance is about. */
    private static Set<ExecutionRef> culprits(LedgerEntry entry) {
        Set<ExecutionRef> culprits = new LinkedHashSet<>();
        entry.memory().retry().map(Retry::last).map(Past::execution).ifPresent(culprits::add);
        entry.memory().workflows().values().forEach(memory -> {
            memory.block().map(Past::execution).ifPresent(culprits::add);
            memory.retry().map(Retry::last).map(Past::execution).ifPresent(culprits::add);
        });
        return culprits;
    }

    /** Would this workflow run on this target now, and if not, why and until when? Runs nothing and changes nothing. */
    public Decision explain(String workflow, Target target, Instant now) {
        LedgerEntry entry = store.entry(target).value();
        if (entry instanceof Held held) {
            entry = ended(held)
                    .<LedgerEntry>map(ended -> held.release(ended.outcome(), ended.completionTime()))
                    .orElse(held);
        }
        return Gate.decide(new Request(NOBODY, workflow, target), entry, policy.get(), now);
    }
}
