package dev.escapement.kubernetes.ledger;

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
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Makes the ledger forget executions that were deleted, if the policy has it so. On a cluster anybody can delete an
 * execution while no operator is there to see it, so this goes by what is missing.
 */
public final class LedgerReset {

    private final ResourceCache<WorkflowExecutionResource> executions;
    private final ExecutionStore store;
    private final Supplier<Policy> policy;

    public LedgerReset(
            ResourceCache<WorkflowExecutionResource> executions, ExecutionStore store, Supplier<Policy> policy) {
        this.executions = executions;
        this.store = store;
        this.policy = policy;
    }

    /** Forgets one execution that certainly is gone. Returns false if something else was in between. */
    public boolean forget(ExecutionRef gone, Target target, Instant now) {
        return applyChange(store.readEntry(target), entry -> entry.forget(gone, policy.get()), now);
    }

    /** Forgets whatever is remembered of executions that are gone. Returns false if something else was in between. */
    public boolean forgetDeleted(Versioned<LedgerEntry> seen, Instant now) {
        Policy rules = policy.get();
        if (!rules.resetOnDelete()) {
            return true;
        }
        return applyChange(
                seen,
                entry -> {
                    LedgerEntry left = entry;
                    for (ExecutionRef remembered : rememberedExecutions(entry)) {
                        left = isDeleted(remembered) ? left.forget(remembered, rules) : left;
                    }
                    return left;
                },
                now);
    }

    private boolean applyChange(
            Versioned<LedgerEntry> seen, java.util.function.UnaryOperator<LedgerEntry> change, Instant now) {
        LedgerEntry left = change.apply(seen.value());
        return left.equals(seen.value()) || store.apply(List.of(new StoreWrite.EntryUpdate(seen, left, now)));
    }

    private static List<ExecutionRef> rememberedExecutions(LedgerEntry entry) {
        Stream<EndedExecution> ofWorkflows = entry.memory().workflows().values().stream()
                .flatMap(memory -> Stream.of(
                        memory.failureStreak().map(FailureStreak::last), memory.block(), memory.lastCompleted()))
                .flatMap(java.util.Optional::stream);
        return Stream.concat(entry.memory().failureStreak().map(FailureStreak::last).stream(), ofWorkflows)
                .filter(past -> !past.afterDeletion())
                .map(EndedExecution::execution)
                .distinct()
                .toList();
    }

    private boolean isDeleted(ExecutionRef remembered) {
        boolean inView = executions
                .get(remembered.namespace(), remembered.name())
                .filter(found -> remembered.hasUid(found.getMetadata().getUid()))
                .isPresent();
        return !inView && store.readExecution(remembered).isEmpty();
    }
}
