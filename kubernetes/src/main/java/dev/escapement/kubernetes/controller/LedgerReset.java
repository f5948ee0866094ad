package dev.escapement.kubernetes.controller;

import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.Policy;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.EndedExecution;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.FailureStreak;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.kubernetes.cache.ResourceCache;
import dev.escapement.kubernetes.resource.WorkflowExecutionResource;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Removes deleted executions from the memory of the ledger if the policy says so. An execution can be deleted while no
 * operator runs, so an execution that is missing counts as deleted.
 */
public record LedgerReset(
        ResourceCache<WorkflowExecutionResource> executions, ExecutionStore store, Supplier<Policy> policy) {

    /** Removes an execution that certainly is deleted. Returns false if the write conflicts. */
    public boolean forget(ExecutionRef deleted, Target target, Instant now) {
        Versioned<LedgerEntry> seen = store.readEntry(target);
        return replace(seen, seen.value().forget(deleted, policy.get()), now);
    }

    /** Removes all executions that are deleted. Returns false if the write conflicts. */
    public boolean forgetDeleted(Versioned<LedgerEntry> seen, Instant now) {
        Policy rules = policy.get();
        if (!rules.resetOnDelete()) {
            return true;
        }
        LedgerEntry changed = seen.value();
        for (ExecutionRef remembered : rememberedExecutions(seen.value())) {
            changed = isDeleted(remembered) ? changed.forget(remembered, rules) : changed;
        }
        return replace(seen, changed, now);
    }

    private boolean replace(Versioned<LedgerEntry> seen, LedgerEntry changed, Instant now) {
        return changed.equals(seen.value()) || store.apply(List.of(new StoreWrite.EntryUpdate(seen, changed, now)));
    }

    private static List<ExecutionRef> rememberedExecutions(LedgerEntry entry) {
        Stream<EndedExecution> ofWorkflows = entry.memory().workflows().values().stream()
                .flatMap(memory -> Stream.of(
                        memory.failureStreak().map(FailureStreak::last), memory.block(), memory.lastCompleted()))
                .flatMap(Optional::stream);
        return Stream.concat(entry.memory().failureStreak().map(FailureStreak::last).stream(), ofWorkflows)
                .filter(past -> !past.afterDeletion())
                .map(EndedExecution::execution)
                .distinct()
                .toList();
    }

    private boolean isDeleted(ExecutionRef remembered) {
        boolean cached = executions
                .get(remembered.namespace(), remembered.name(), remembered.uid())
                .isPresent();
        return !cached && store.readExecution(remembered).isEmpty();
    }
}
