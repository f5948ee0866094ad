package dev.escapement.governor.ledger;

import static java.util.Objects.requireNonNull;

import dev.escapement.governor.FailureScope;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * What a target remembers: as a whole, and workflow by workflow. Both are kept up with every outcome whatever the
 * failure scope is, so that the scope can change at run time: whichever then counts is true.
 *
 * @param failureStreak executions in a row that could not start, of any workflow
 * @param workflows by workflow id; those with nothing to remember are left out
 */
public record TargetMemory(Optional<FailureStreak> failureStreak, SortedMap<String, WorkflowMemory> workflows) {

    /** Nothing to remember. */
    public static final TargetMemory EMPTY = new TargetMemory(Optional.empty(), new TreeMap<>());

    /** Copies the map. */
    public TargetMemory {
        requireNonNull(failureStreak, "retry is null");
        TreeMap<String, WorkflowMemory> copy = new TreeMap<>(workflows);
        copy.values().removeIf(WorkflowMemory::isEmpty);
        workflows = Collections.unmodifiableSortedMap(copy);
    }

    /** Whether nothing is left to remember. */
    public boolean isEmpty() {
        return failureStreak.isEmpty() && workflows.isEmpty();
    }

    /** Whether there is a failure that a person could clear. */
    public boolean hasFailures() {
        return !equals(withoutFailures());
    }

    /** How many executions in a row could not start, as far as {@code workflow} is concerned. */
    public int consecutiveFailures(FailureScope scope, String workflow) {
        Optional<FailureStreak> failed = failureStreak(scope, workflow);
        return failed.isPresent() ? failed.get().failures() : 0;
    }

    /** The executions in a row that could not start, as far as {@code workflow} is concerned. */
    public Optional<FailureStreak> failureStreak(FailureScope scope, String workflow) {
        return scope == FailureScope.TARGET
                ? failureStreak
                : forWorkflow(workflow).failureStreak();
    }

    /** The latest execution that ran and failed and was not cleared, as far as {@code workflow} is concerned. */
    public Optional<EndedExecution> block(FailureScope scope, String workflow) {
        Optional<EndedExecution> latest = Optional.empty();
        for (Map.Entry<String, WorkflowMemory> each : workflows.entrySet()) {
            Optional<EndedExecution> block = each.getValue().block();
            if (block.isPresent()
                    && isInScope(scope, workflow, each.getKey())
                    && (latest.isEmpty()
                            || block.get().endedAt().isAfter(latest.get().endedAt()))) {
                latest = block;
            }
        }
        return latest;
    }

    /** The last completed execution of this very workflow; other workflows may follow a success at once. */
    public Optional<EndedExecution> lastCompleted(String workflow) {
        return forWorkflow(workflow).lastCompleted();
    }

    /** What is remembered of one workflow. */
    public WorkflowMemory forWorkflow(String workflow) {
        return workflows.getOrDefault(workflow, WorkflowMemory.EMPTY);
    }

    /** What happened last, whatever it was. */
    public Optional<EndedExecution> lastEnded() {
        return Stream.concat(
                        failureStreak.map(FailureStreak::last).stream(),
                        workflows.values().stream()
                                .map(WorkflowMemory::lastEnded)
                                .flatMap(Optional::stream))
                .max(Comparator.comparing(EndedExecution::endedAt));
    }

    TargetMemory withFailedStart(EndedExecution past, Instant nextAllowed) {
        WorkflowMemory failed = forWorkflow(past.workflow()).withFailedStart(past, nextAllowed);
        return new TargetMemory(
                Optional.of(FailureStreak.extend(failureStreak, past, nextAllowed)),
                withWorkflow(past.workflow(), failed));
    }

    TargetMemory withBlock(EndedExecution past) {
        return new TargetMemory(
                failureStreak,
                withWorkflow(past.workflow(), forWorkflow(past.workflow()).withBlock(past)));
    }

    /** A success ends the series of failures, of the target and of its workflow. It does not lift a block. */
    TargetMemory withCompleted(EndedExecution past) {
        return new TargetMemory(
                Optional.empty(),
                withWorkflow(past.workflow(), forWorkflow(past.workflow()).withCompleted(past)));
    }

    TargetMemory withoutFailures() {
        return new TargetMemory(Optional.empty(), mapWorkflows(WorkflowMemory::withoutFailures));
    }

    TargetMemory withoutExecution(String uid) {
        return new TargetMemory(
                failureStreak.filter(failed -> !failed.last().isResetBy(uid)),
                mapWorkflows(memory -> memory.withoutExecution(uid)));
    }

    TargetMemory expire(Duration cooldown, Instant now) {
        return new TargetMemory(failureStreak, mapWorkflows(memory -> memory.expire(cooldown, now)));
    }

    private static boolean isInScope(FailureScope scope, String workflow, String other) {
        return scope == FailureScope.TARGET || workflow.equals(other);
    }

    private SortedMap<String, WorkflowMemory> withWorkflow(String workflow, WorkflowMemory memory) {
        TreeMap<String, WorkflowMemory> changed = new TreeMap<>(workflows);
        changed.put(workflow, memory);
        return changed;
    }

    private SortedMap<String, WorkflowMemory> mapWorkflows(UnaryOperator<WorkflowMemory> change) {
        TreeMap<String, WorkflowMemory> changed = new TreeMap<>(workflows);
        changed.replaceAll((workflow, memory) -> change.apply(memory));
        return changed;
    }
}
