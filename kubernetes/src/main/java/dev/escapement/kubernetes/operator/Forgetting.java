package dev.escapement.kubernetes.operator;

import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.Policy;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.EndedExecution;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.FailureStreak;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.kubernetes.resource.WorkflowExecution;
import dev.escapement.kubernetes.store.View;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Makes the ledger forget executions that were deleted, if the policy has it so. On a cluster anybody can delete an
 * execution while no operator is there to see it, so this goes by what is missing.
 */
final class Forgetting {

    private final View<WorkflowExecution> executions;
    private final ExecutionStore store;
    private final Supplier<Policy> policy;

    Forgetting(View<WorkflowExecution> executions, ExecutionStore store, Supplier<Policy> policy) {
        this.executions = executions;
        this.store = store;
        this.policy = policy;
    }

    /** Forgets one execution that certainly is gone. Returns false if something else was in between. */
    boolean forget(ExecutionRef gone, Target target, Instant now) {
        return written(store.readEntry(target), entry -> entry.forget(gone, policy.get()), now);
    }

    /** Forgets whatever is remembered of executions that are gone. Returns false if something else was in between. */
    boolean forgetMissing(Versioned<LedgerEntry> seen, Instant now) {
        Policy rules = policy.get();
        if (!rules.resetOnDelete()) {
            return true;
        }
        return written(
                seen,
                entry -> {
                    LedgerEntry left = entry;
                    for (ExecutionRef remembered : remembered(entry)) {
                        left = isGone(remembered) ? left.forget(remembered, rules) : left;
                    }
                    return left;
                },
                now);
    }

    private boolean written(
            Versioned<LedgerEntry> seen, java.util.function.UnaryOperator<LedgerEntry> change, Instant now) {
        LedgerEntry left = change.apply(seen.value());
        return left.equals(seen.value()) || store.apply(List.of(new StoreWrite.EntryUpdate(seen, left, now)));
    }

    private static List<ExecutionRef> remembered(LedgerEntry entry) {
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

    private boolean isGone(ExecutionRef remembered) {
        boolean inView = executions
                .get(remembered.namespace(), remembered.name())
                .filter(found -> remembered.hasUid(found.getMetadata().getUid()))
                .isPresent();
        return !inView && store.readExecution(remembered).isEmpty();
    }
}
