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
 * @param retry executions in a row that could not start, of any workflow
 * @param workflows by workflow id; those with nothing to remember are left out
 */
public record TargetMemory(Optional<Retry> retry, SortedMap<String, WorkflowMemory> workflows) {

    /** Nothing to remember. */
    public static final TargetMemory NONE = new TargetMemory(Optional.empty(), new TreeMap<>());

    /** Copies the map. */
    public TargetMemory {
        requireNonNull(retry, "retry is null");
        TreeMap<String, WorkflowMemory> copy = new TreeMap<>(workflows);
        copy.values().removeIf(WorkflowMemory::isEmpty);
        workflows = Collections.unmodifiableSortedMap(copy);
    }

    /** Whether nothing is left to remember. */
    public boolean isEmpty() {
        return retry.isEmpty() && workflows.isEmpty();
    }

    /** Whether there is a failure that a person could clear. */
    public boolean hasFailures() {
        return !equals(withoutFailures());
    }

    /** How many executions in a row could not start, as far as {@code workflow} is concerned. */
    public int failures(FailureScope scope, String workflow) {
        Optional<Retry> failed = retry(scope, workflow);
        return failed.isPresent() ? failed.get().failures() : 0;
    }

    /** The executions in a row that could not start, as far as {@code workflow} is concerned. */
    public Optional<Retry> retry(FailureScope scope, String workflow) {
        return scope == FailureScope.TARGET ? retry : of(workflow).retry();
    }

    /** The latest execution that ran and failed and was not cleared, as far as {@code workflow} is concerned. */
    public Optional<Past> block(FailureScope scope, String workflow) {
        Optional<Past> latest = Optional.empty();
        for (Map.Entry<String, WorkflowMemory> each : workflows.entrySet()) {
            Optional<Past> block = each.getValue().block();
            if (block.isPresent()
                    && concerns(scope, workflow, each.getKey())
                    && (latest.isEmpty()
                            || block.get().at().isAfter(latest.get().at()))) {
                latest = block;
            }
        }
        return latest;
    }

    /** The last completed execution of this very workflow; other workflows may follow a success at once. */
    public Optional<Past> completed(String workflow) {
        return of(workflow).completed();
    }

    /** What is remembered of one workflow. */
    public WorkflowMemory of(String workflow) {
        return workflows.getOrDefault(workflow, WorkflowMemory.NONE);
    }

    /** What happened last, whatever it was. */
    public Optional<Past> last() {
        return Stream.concat(
                        retry.map(Retry::last).stream(),
                        workflows.values().stream().map(WorkflowMemory::last).flatMap(Optional::stream))
                .max(Comparator.comparing(Past::at));
    }

    TargetMemory couldNotStart(Past past, Instant nextAllowed) {
        WorkflowMemory failed = of(past.workflow()).couldNotStart(past, nextAllowed);
        return new TargetMemory(Optional.of(Retry.oneMore(retry, past, nextAllowed)), with(past.workflow(), failed));
    }

    TargetMemory blockedBy(Past past) {
        return new TargetMemory(retry, with(past.workflow(), of(past.workflow()).blockedBy(past)));
    }

    /** A success ends the series of failures, of the target and of its workflow. It does not lift a block. */
    TargetMemory completedBy(Past past) {
        return new TargetMemory(
                Optional.empty(), with(past.workflow(), of(past.workflow()).completedBy(past)));
    }

    TargetMemory withoutFailures() {
        return new TargetMemory(Optional.empty(), each(WorkflowMemory::withoutFailures));
    }

    TargetMemory without(String uid) {
        return new TargetMemory(
                retry.filter(failed -> !failed.last().isResetBy(uid)), each(memory -> memory.without(uid)));
    }

    TargetMemory expire(Duration cooldown, Instant now) {
        return new TargetMemory(retry, each(memory -> memory.expire(cooldown, now)));
    }

    private static boolean concerns(FailureScope scope, String workflow, String other) {
        return scope == FailureScope.TARGET || workflow.equals(other);
    }

    private SortedMap<String, WorkflowMemory> with(String workflow, WorkflowMemory memory) {
        TreeMap<String, WorkflowMemory> changed = new TreeMap<>(workflows);
        changed.put(workflow, memory);
        return changed;
    }

    private SortedMap<String, WorkflowMemory> each(UnaryOperator<WorkflowMemory> change) {
        TreeMap<String, WorkflowMemory> changed = new TreeMap<>(workflows);
        changed.replaceAll((workflow, memory) -> change.apply(memory));
        return changed;
    }
}
