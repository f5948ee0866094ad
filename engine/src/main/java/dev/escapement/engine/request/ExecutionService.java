package dev.escapement.engine.request;

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
import dev.escapement.governor.gate.GateInput;
import dev.escapement.governor.gate.GateRequest;
import dev.escapement.governor.gate.GateRequest.WaitTerms;
import dev.escapement.governor.ledger.Clearance;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Executes the requests of users: create, cancel, delete, clear, explain. Each is one compare-and-set that is retried
 * after a conflict.
 *
 * @param policy read at every request, so that a change takes effect immediately
 */
public record ExecutionService(ExecutionStore store, ExecutionQueries queries, Supplier<Policy> policy) {

    /** An execution or an entry changes a few times in its life: more conflicts mean a broken store. */
    private static final int MAX_ATTEMPTS = 100;

    private static final ExecutionRef EXPLAIN_REF = new ExecutionRef("", "explain", "none");

    /** Stores a new execution. Returns false if its namespace has one of that name. */
    public boolean create(Execution execution) {
        return store.apply(List.of(new StoreWrite.Creation(execution)));
    }

    /**
     * Requests the cancellation of an execution. Has no effect if it has finished or is already cancelled.
     *
     * @return the execution after the request; empty if there is none of that name
     */
    public Optional<Versioned<Execution>> cancel(String namespace, String name, String actor, Instant now) {
        for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
            Optional<Versioned<Execution>> seen = queries.findExecution(namespace, name);
            if (seen.isEmpty() || isFinalOrCancelled(seen.get().value())) {
                return seen;
            }
            if (store.apply(List.of(new StoreWrite.Cancellation(seen.get(), actor, now)))) {
                return store.readExecution(seen.get().value().ref());
            }
        }
        throw tooManyConflicts("execution " + namespace + "/" + name);
    }

    private static boolean isFinalOrCancelled(Execution execution) {
        return execution.status() instanceof ExecutionStatus.Final
                || execution.cancelledBy().isPresent();
    }

    /**
     * Deletes an execution, and removes it from the ledger's memory if the policy says so. The caller must call
     * {@link dev.escapement.engine.Engine#cleanUpDeleted} afterwards.
     *
     * @return the deleted execution; empty if there is none of that name
     */
    public Optional<Execution> delete(String namespace, String name, String actor, Instant now) {
        Optional<Execution> deleted = Optional.empty();
        for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
            Optional<Versioned<Execution>> seen = queries.findExecution(namespace, name);
            // Without transactions the write after the deletion can fail alone; the clean-up repeats it.
            if (seen.isEmpty() || isOther(seen.get().value(), deleted)) {
                return deleted;
            }
            deleted = seen.map(Versioned::value);
            if (store.apply(deletionWrites(seen.get(), actor, now))) {
                return deleted;
            }
        }
        throw tooManyConflicts("execution " + namespace + "/" + name);
    }

    private static boolean isOther(Execution seen, Optional<Execution> deleted) {
        return deleted.filter(before -> !before.ref().hasUid(seen.ref().uid())).isPresent();
    }

    private List<StoreWrite> deletionWrites(Versioned<Execution> seen, String actor, Instant now) {
        Execution execution = seen.value();
        // Deletion first: without transactions, a crash in between leaves a block too many, not one too few.
        List<StoreWrite> writes = new ArrayList<>(List.of(new StoreWrite.Deletion(seen, actor, now)));
        Target.tryParse(execution.spec().targetResource()).map(store::readEntry).ifPresent(entry -> {
            LedgerEntry forgotten = entry.value().forget(execution.ref(), policy.get());
            if (!forgotten.equals(entry.value())) {
                writes.add(new StoreWrite.EntryUpdate(entry, forgotten, now));
            }
        });
        return writes;
    }

    /**
     * Removes every block and failure of a target on behalf of a person.
     *
     * @return the entry afterwards; empty if there is nothing to clear
     */
    public Optional<Versioned<LedgerEntry>> clear(Target target, Clearance clearance) {
        for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
            Versioned<LedgerEntry> entry = releaseIfFinal(store.readCurrentEntry(target));
            Optional<List<StoreWrite>> writes = new TargetClearance(store).writes(entry, clearance);
            if (writes.isEmpty()) {
                return Optional.empty();
            }
            if (store.apply(writes.get())) {
                return Optional.of(store.readEntry(target));
            }
        }
        throw tooManyConflicts("ledger entry of " + target);
    }

    /**
     * Releases a target whose holder has finished: the final status is visible before the release, and a person may
     * clear the block in between.
     */
    private Versioned<LedgerEntry> releaseIfFinal(Versioned<LedgerEntry> entry) {
        if (!(entry.value() instanceof Held held)) {
            return entry;
        }
        return new TargetClearance(store)
                .finalStatus(held)
                .map(ended -> new StoreWrite.EntryUpdate(entry, ended.release(held), ended.completionTime()))
                .map(release -> {
                    // A conflict means that another engine has released it.
                    store.apply(List.of(release));
                    return store.readCurrentEntry(held.target());
                })
                .orElse(entry);
    }

    private static IllegalStateException tooManyConflicts(String object) {
        return new IllegalStateException(object + ": " + MAX_ATTEMPTS + " conflicting updates in a row");
    }

    /** Decides whether this workflow would run on this target now if it did not wait, and changes nothing. */
    public GateDecision explain(String workflow, Target target, Instant now) {
        return explain(workflow, target, Optional.empty(), now);
    }

    /**
     * Decides whether this workflow would run on this target now, and changes nothing.
     *
     * @param waitFor how long it would wait; empty if it would be skipped instead
     */
    public GateDecision explain(String workflow, Target target, Optional<Duration> waitFor, Instant now) {
        LedgerEntry entry = new TargetClearance(store)
                .releaseIfFinal(store.readEntry(target).value());
        Optional<WaitTerms> wait = waitFor.map(time -> new WaitTerms(now.plus(time), false));
        GateRequest request = new GateRequest(EXPLAIN_REF, workflow, target, Instant.MAX, wait);
        return Gate.decide(new GateInput(request, entry, policy.get(), now, store.readWaiting(target)));
    }
}
