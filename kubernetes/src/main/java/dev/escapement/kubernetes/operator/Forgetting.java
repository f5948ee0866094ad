package dev.escapement.kubernetes.operator;

import dev.escapement.engine.port.Store;
import dev.escapement.engine.port.Versioned;
import dev.escapement.engine.port.Write;
import dev.escapement.governor.Policy;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.Past;
import dev.escapement.governor.ledger.Retry;
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
    private final Store store;
    private final Supplier<Policy> policy;

    Forgetting(View<WorkflowExecution> executions, Store store, Supplier<Policy> policy) {
        this.executions = executions;
        this.store = store;
        this.policy = policy;
    }

    /** Forgets one execution that certainly is gone. Returns false if something else was in between. */
    boolean forget(ExecutionRef gone, Target target, Instant now) {
        return written(store.entry(target), entry -> entry.forget(gone, policy.get()), now);
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
        return left.equals(seen.value()) || store.apply(List.of(new Write.Entry(seen, left, now)));
    }

    private static List<ExecutionRef> remembered(LedgerEntry entry) {
        Stream<Past> ofWorkflows = entry.memory().workflows().values().stream()
                .flatMap(memory -> Stream.of(memory.retry().map(Retry::last), memory.block(), memory.completed()))
                .flatMap(java.util.Optional::stream);
        return Stream.concat(entry.memory().retry().map(Retry::last).stream(), ofWorkflows)
                .filter(past -> !past.afterDeletion())
                .map(Past::execution)
                .distinct()
                .toList();
    }

    private boolean isGone(ExecutionRef remembered) {
        boolean inView = executions
                .get(remembered.namespace(), remembered.name())
                .filter(found -> remembered.is(found.getMetadata().getUid()))
                .isPresent();
        return !inView && store.execution(remembered).isEmpty();
    }
}
