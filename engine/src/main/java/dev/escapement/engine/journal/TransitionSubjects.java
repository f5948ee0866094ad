package dev.escapement.engine.journal;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionSpec;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.governor.ledger.EndedExecution;
import dev.escapement.governor.ledger.ExecutionRef;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Names the executions and the remediations that the change of a ledger entry is about. The entry refers to executions
 * only; their remediations are known if the same transaction writes the executions.
 *
 * @param executions those of the transaction, by uid
 * @param cleared those of them that are cleared
 */
record TransitionSubjects(Map<String, Execution> executions, List<Execution> cleared) {

    private static final String SEPARATOR = ", ";

    static TransitionSubjects of(List<StoreWrite> transaction) {
        Map<String, Execution> executions = new LinkedHashMap<>();
        transaction.stream()
                .flatMap(write -> execution(write).stream())
                .forEach(execution -> executions.put(execution.ref().uid(), execution));
        List<Execution> cleared = transaction.stream()
                .filter(StoreWrite.ClearanceUpdate.class::isInstance)
                .flatMap(write -> execution(write).stream())
                .toList();
        return new TransitionSubjects(executions, cleared);
    }

    private static Optional<Execution> execution(StoreWrite write) {
        if (write instanceof StoreWrite.StatusUpdate status) {
            return Optional.of(status.expected().value());
        } else if (write instanceof StoreWrite.ClearanceUpdate clearance) {
            return Optional.of(clearance.expected().value());
        }
        return write instanceof StoreWrite.Deletion deletion
                ? Optional.of(deletion.expected().value())
                : Optional.empty();
    }

    /** Returns the transition with the subjects that its write does not name. */
    Transition addTo(Transition transition, StoreWrite write) {
        if (!(write instanceof StoreWrite.EntryUpdate entry)) {
            return transition;
        } else if (transition.type() == TransitionType.BlockCleared) {
            return transition
                    .withDetail(TransitionDetail.CLEARED_EXECUTIONS, join(clearedExecutions(entry)))
                    .withDetail(
                            TransitionDetail.REMEDIATION_ID,
                            join(cleared.stream()
                                    .map(Execution::spec)
                                    .map(ExecutionSpec::remediationId)
                                    .flatMap(Optional::stream)));
        }
        return transition.withDetail(
                TransitionDetail.REMEDIATION_ID,
                transition
                        .execution()
                        .map(ref -> executions.get(ref.uid()))
                        .flatMap(execution -> execution.spec().remediationId()));
    }

    /** An execution that was deleted is in the memory of the entry only; one that ended just now is not yet in it. */
    private Stream<String> clearedExecutions(StoreWrite.EntryUpdate entry) {
        return Stream.concat(
                        entry.expected().value().memory().failedExecutions().map(EndedExecution::execution),
                        cleared.stream().map(Execution::ref))
                .distinct()
                .map(ExecutionRef::toString);
    }

    private static Optional<String> join(Stream<String> names) {
        return Optional.of(names.distinct().collect(Collectors.joining(SEPARATOR)))
                .filter(text -> !text.isEmpty());
    }
}
