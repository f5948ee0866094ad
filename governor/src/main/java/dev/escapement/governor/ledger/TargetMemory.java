package dev.escapement.governor.ledger;

import dev.escapement.common.Copies;
import dev.escapement.governor.FailureScope;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * What the ledger remembers of a target, as a whole and per workflow. Both are updated with every outcome, so that the
 * failure scope can be changed at any time.
 *
 * @param failureStreak executions in a row that could not start, of any workflow
 * @param workflows by workflow id, without empty memories
 * @param unknownFields what a newer version remembers, as it was read: kept with the rest
 */
public record TargetMemory(
        Optional<FailureStreak> failureStreak,
        SortedMap<String, WorkflowMemory> workflows,
        Map<String, Object> unknownFields) {

    /**
     * The number of workflows whose invalid requests are remembered. The caller chooses the name of a workflow, so
     * without a bound invalid requests could make an entry too large to be stored.
     */
    static final int MAX_INVALID_WORKFLOWS = 20;

    public static final TargetMemory EMPTY = new TargetMemory(Optional.empty(), new TreeMap<>(), Map.of());

    public TargetMemory {
        TreeMap<String, WorkflowMemory> copy = new TreeMap<>(workflows);
        copy.values().removeIf(WorkflowMemory::isEmpty);
        workflows = Collections.unmodifiableSortedMap(copy);
        unknownFields = Copies.map(unknownFields);
    }

    /** Unknown fields do not count: an entry that only a newer version could use would stay for ever. */
    public boolean isEmpty() {
        return failureStreak.isEmpty() && workflows.isEmpty();
    }

    /** Returns whether an execution is remembered that ran, successfully or not. */
    public boolean remembersRun() {
        return workflows.values().stream()
                .anyMatch(memory ->
                        memory.lastCompleted().isPresent() || memory.block().isPresent());
    }

    /** Returns whether there is a failure that a person can clear. */
    public boolean hasFailures() {
        return !equals(withoutFailures());
    }

    /** Returns the number of executions in a row that could not start and count for {@code workflow}. */
    public int consecutiveFailures(FailureScope scope, String workflow) {
        Optional<FailureStreak> streak = failureStreak(scope, workflow);
        return streak.isPresent() ? streak.get().failures() : 0;
    }

    /** Returns the executions in a row that could not start and count for {@code workflow}. */
    public Optional<FailureStreak> failureStreak(FailureScope scope, String workflow) {
        return scope == FailureScope.TARGET
                ? failureStreak
                : forWorkflow(workflow).failureStreak();
    }

    /** Returns the latest execution that ran, failed, was not cleared and counts for {@code workflow}. */
    public Optional<EndedExecution> block(FailureScope scope, String workflow) {
        Optional<EndedExecution> latest = Optional.empty();
        for (Map.Entry<String, WorkflowMemory> each : workflows.entrySet()) {
            Optional<EndedExecution> block = each.getValue().block();
            if (block.isPresent()
                    && (scope == FailureScope.TARGET || workflow.equals(each.getKey()))
                    && (latest.isEmpty()
                            || block.get().endedAt().isAfter(latest.get().endedAt()))) {
                latest = block;
            }
        }
        return latest;
    }

    /** Returns the requests in a row of the workflow that failed validation. */
    public Optional<FailureStreak> invalidRequests(String workflow) {
        return forWorkflow(workflow).invalidRequests();
    }

    /** Returns the executions whose failures a person can clear; some occur twice. */
    public Stream<EndedExecution> failedExecutions() {
        return Stream.concat(
                failureStreak.map(FailureStreak::last).stream(),
                workflows.values().stream().flatMap(WorkflowMemory::failedExecutions));
    }

    /** Returns the last completed execution of the workflow; a success does not delay other workflows. */
    public Optional<EndedExecution> lastCompleted(String workflow) {
        return forWorkflow(workflow).lastCompleted();
    }

    public WorkflowMemory forWorkflow(String workflow) {
        return workflows.getOrDefault(workflow, WorkflowMemory.EMPTY);
    }

    /** Returns the executions that are remembered, of the target and then of each workflow; some occur twice. */
    public Stream<EndedExecution> endedExecutions() {
        return Stream.concat(
                failureStreak.map(FailureStreak::last).stream(),
                workflows.values().stream().flatMap(WorkflowMemory::endedExecutions));
    }

    TargetMemory withFailedStart(EndedExecution ended, Optional<Instant> nextAllowed) {
        WorkflowMemory failed = forWorkflow(ended.workflow()).withFailedStart(ended, nextAllowed);
        FailureStreak streak = FailureStreak.extend(failureStreak, ended, nextAllowed);
        return withWorkflow(Optional.of(streak), ended.workflow(), failed);
    }

    /** Counts for the workflow only. If too many workflows have invalid requests, those of one are forgotten. */
    TargetMemory withInvalidRequest(EndedExecution ended, Optional<Instant> nextAllowed) {
        WorkflowMemory failed = forWorkflow(ended.workflow()).withInvalidRequest(ended, nextAllowed);
        TargetMemory changed = withWorkflow(failureStreak, ended.workflow(), failed);
        List<EndedExecution> last = changed.workflows.values().stream()
                .flatMap(memory -> memory.invalidRequests().stream())
                .map(FailureStreak::last)
                .toList();
        if (last.size() <= MAX_INVALID_WORKFLOWS) {
            return changed;
        }
        String oldest = last.stream()
                .filter(other -> !other.equals(ended))
                .min(Comparator.comparing(EndedExecution::endedAt))
                .orElseThrow()
                .workflow();
        return changed.withWorkflow(
                failureStreak, oldest, changed.forWorkflow(oldest).withoutInvalidRequests());
    }

    TargetMemory withBlock(EndedExecution ended) {
        WorkflowMemory blocked = forWorkflow(ended.workflow()).withBlock(ended);
        return withWorkflow(failureStreak, ended.workflow(), blocked);
    }

    /** A success ends the failure streaks of the target and of its workflow. It does not remove a block. */
    TargetMemory withCompleted(EndedExecution ended) {
        WorkflowMemory completed = forWorkflow(ended.workflow()).withCompleted(ended);
        return withWorkflow(Optional.empty(), ended.workflow(), completed);
    }

    TargetMemory withoutFailures() {
        return mapWorkflows(Optional.empty(), WorkflowMemory::withoutFailures);
    }

    TargetMemory withoutExecution(String uid) {
        Optional<FailureStreak> streak =
                failureStreak.filter(known -> !known.last().isResetBy(uid));
        return mapWorkflows(streak, memory -> memory.withoutExecution(uid));
    }

    TargetMemory expire(Duration cooldown, Instant now) {
        return mapWorkflows(failureStreak, memory -> memory.expire(cooldown, now));
    }

    private TargetMemory withWorkflow(Optional<FailureStreak> streak, String workflow, WorkflowMemory memory) {
        TreeMap<String, WorkflowMemory> changed = new TreeMap<>(workflows);
        changed.put(workflow, memory);
        return new TargetMemory(streak, changed, unknownFields);
    }

    private TargetMemory mapWorkflows(Optional<FailureStreak> streak, UnaryOperator<WorkflowMemory> change) {
        TreeMap<String, WorkflowMemory> changed = new TreeMap<>(workflows);
        changed.replaceAll((workflow, memory) -> change.apply(memory));
        return new TargetMemory(streak, changed, unknownFields);
    }
}
