package dev.escapement.engine.request;

import static java.util.Objects.requireNonNull;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.port.ExecutionQueries;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.Policy;
import dev.escapement.governor.Target;
import dev.escapement.governor.gate.Gate;
import dev.escapement.governor.gate.GateDecision;
import dev.escapement.governor.gate.GateRequest;
import dev.escapement.governor.ledger.Clearance;
import dev.escapement.governor.ledger.EndedExecution;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.FailureStreak;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Held;
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
public final class ExecutionService {

    /** An execution or an entry changes a handful of times in its life: more than this is a store that lies. */
    private static final int MAX_ATTEMPTS = 100;

    private static final ExecutionRef EXPLAIN_REF = new ExecutionRef("", "a-question", "none");

    private final ExecutionStore store;
    private final ExecutionQueries queries;
    private final Supplier<Policy> policy;

    /** @param policy asked at every request, so that a change acts at once */
    public ExecutionService(ExecutionStore store, ExecutionQueries directory, Supplier<Policy> policy) {
        this.store = requireNonNull(store, "store is null");
        this.queries = requireNonNull(directory, "directory is null");
        this.policy = requireNonNull(policy, "policy is null");
    }

    /** Accepts an execution. Returns false if its namespace has one of that name. */
    public boolean create(Execution asked) {
        return store.apply(List.of(new StoreWrite.Creation(asked)));
    }

    /**
     * Notes that an execution is to stop. One that is over, or that somebody has cancelled before, stays as it is.
     *
     * @return the execution with the wish; empty if there is none of that name
     */
    public Optional<Versioned<Execution>> cancel(String namespace, String name, String by, Instant now) {
        for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
            Optional<Versioned<Execution>> seen = queries.findExecution(namespace, name);
            if (seen.isEmpty() || isFinalOrCancelled(seen.get().value())) {
                return seen;
            }
            if (store.apply(List.of(new StoreWrite.Cancellation(seen.get(), by, now)))) {
                return store.readExecution(seen.get().value().ref());
            }
        }
        throw new IllegalStateException("execution %s/%s changes all the time".formatted(namespace, name));
    }

    private static boolean isFinalOrCancelled(Execution execution) {
        return execution.status() instanceof ExecutionStatus.Final
                || execution.cancelledBy().isPresent();
    }

    /**
     * Deletes an execution, and what the ledger remembers of it if the policy has it so. Whatever it holds or has
     * prepared is cleaned up by {@link dev.escapement.engine.Engine#cleanUpDeleted}.
     *
     * @return the execution as it was; empty if there is none of that name
     */
    public Optional<Execution> delete(String namespace, String name, String by, Instant now) {
        for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
            Optional<Versioned<Execution>> seen = queries.findExecution(namespace, name);
            if (seen.isEmpty() || store.apply(deletionWrites(seen.get(), by, now))) {
                return seen.map(Versioned::value);
            }
        }
        throw new IllegalStateException("execution %s/%s changes all the time".formatted(namespace, name));
    }

    private List<StoreWrite> deletionWrites(Versioned<Execution> seen, String by, Instant now) {
        Execution execution = seen.value();
        // First: without transactions a crash in between leaves a block too many, not one too few.
        List<StoreWrite> writes = new ArrayList<>(List.of(new StoreWrite.Deletion(seen, by, now)));
        Target.tryParse(execution.spec().targetResource()).map(store::readEntry).ifPresent(entry -> {
            LedgerEntry forgotten = entry.value().forget(execution.ref(), policy.get());
            if (!forgotten.equals(entry.value())) {
                writes.add(new StoreWrite.EntryUpdate(entry, forgotten, now));
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
        for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
            Versioned<LedgerEntry> entry = releaseIfFinal(store.readCurrentEntry(target));
            Optional<LedgerEntry> cleared = entry.value().clear(clearance);
            if (cleared.isEmpty()) {
                return Optional.empty();
            }
            List<StoreWrite> writes = new ArrayList<>();
            failedExecutions(entry.value()).stream()
                    .flatMap(ref -> store.readExecution(ref).stream())
                    .map(seen -> new StoreWrite.ClearanceUpdate(seen, clearance))
                    .forEach(writes::add);
            // Last: once it is cleared, nobody knows any more which executions it was about.
            writes.add(new StoreWrite.EntryUpdate(entry, cleared.get(), clearance.at()));
            if (store.apply(writes)) {
                return Optional.of(store.readEntry(target));
            }
        }
        throw new IllegalStateException("the ledger entry of " + target + " changes all the time");
    }

    /**
     * Everybody can see that an execution has failed a moment before its target is released, and may clear the block at
     * once: then the release is made here, by the same write as ever.
     */
    private Versioned<LedgerEntry> releaseIfFinal(Versioned<LedgerEntry> entry) {
        if (!(entry.value() instanceof Held held)) {
            return entry;
        }
        return finalStatus(held)
                .map(ended -> new StoreWrite.EntryUpdate(
                        entry, held.release(ended.outcome(), ended.completionTime()), ended.completionTime()))
                .map(release -> {
                    // Whoever was quicker has released it too.
                    store.apply(List.of(release));
                    return store.readCurrentEntry(held.target());
                })
                .orElse(entry);
    }

    private Optional<ExecutionStatus.Final> finalStatus(Held held) {
        return store.readExecution(held.holder().execution())
                .map(holder -> holder.value().status())
                .filter(ExecutionStatus.Final.class::isInstance)
                .map(ExecutionStatus.Final.class::cast);
    }

    /** The executions that the clearance is about. */
    private static Set<ExecutionRef> failedExecutions(LedgerEntry entry) {
        Set<ExecutionRef> culprits = new LinkedHashSet<>();
        entry.memory()
                .failureStreak()
                .map(FailureStreak::last)
                .map(EndedExecution::execution)
                .ifPresent(culprits::add);
        entry.memory().workflows().values().forEach(memory -> {
            memory.block().map(EndedExecution::execution).ifPresent(culprits::add);
            memory.failureStreak()
                    .map(FailureStreak::last)
                    .map(EndedExecution::execution)
                    .ifPresent(culprits::add);
        });
        return culprits;
    }

    /** Would this workflow run on this target now, and if not, why and until when? Runs nothing and changes nothing. */
    public GateDecision explain(String workflow, Target target, Instant now) {
        LedgerEntry entry = store.readEntry(target).value();
        if (entry instanceof Held held) {
            entry = finalStatus(held)
                    .<LedgerEntry>map(ended -> held.release(ended.outcome(), ended.completionTime()))
                    .orElse(held);
        }
        return Gate.decide(new GateRequest(EXPLAIN_REF, workflow, target), entry, policy.get(), now);
    }
}
