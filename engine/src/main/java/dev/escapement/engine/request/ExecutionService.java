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
import dev.escapement.governor.gate.GateRequest;
import dev.escapement.governor.ledger.Clearance;
import dev.escapement.governor.ledger.EndedExecution;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.FailureStreak;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import dev.escapement.governor.ledger.TargetMemory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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
            Optional<LedgerEntry> cleared = entry.value().clear(clearance);
            if (cleared.isEmpty()) {
                return Optional.empty();
            }
            List<StoreWrite> writes = new ArrayList<>();
            failedExecutions(entry.value()).stream()
                    .flatMap(ref -> store.readExecution(ref).stream())
                    .map(seen -> new StoreWrite.ClearanceUpdate(seen, clearance))
                    .forEach(writes::add);
            // The entry last: after it is cleared, the executions that it was about are unknown.
            writes.add(new StoreWrite.EntryUpdate(entry, cleared.get(), clearance.at()));
            if (store.apply(writes)) {
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
        return finalStatus(held)
                .map(ended -> new StoreWrite.EntryUpdate(entry, ended.release(held), ended.completionTime()))
                .map(release -> {
                    // A conflict means that another engine has released it.
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

    private static IllegalStateException tooManyConflicts(String object) {
        return new IllegalStateException(object + ": " + MAX_ATTEMPTS + " conflicting updates in a row");
    }

    /** Returns the executions whose failures are cleared. */
    private static Set<ExecutionRef> failedExecutions(LedgerEntry entry) {
        TargetMemory memory = entry.memory();
        Stream<EndedExecution> ended = Stream.concat(
                        Stream.of(memory.failureStreak().map(FailureStreak::last)),
                        memory.workflows().values().stream()
                                .flatMap(workflow -> Stream.of(
                                        workflow.block(),
                                        workflow.failureStreak().map(FailureStreak::last))))
                .flatMap(Optional::stream);
        return ended.map(EndedExecution::execution).collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** Decides whether this workflow would run on this target now, and changes nothing. */
    public GateDecision explain(String workflow, Target target, Instant now) {
        LedgerEntry entry = store.readEntry(target).value();
        if (entry instanceof Held held) {
            entry = finalStatus(held)
                    .<LedgerEntry>map(ended -> ended.release(held))
                    .orElse(held);
        }
        return Gate.decide(new GateRequest(EXPLAIN_REF, workflow, target), entry, policy.get(), now);
    }
}
