package dev.escapement.governor.ledger;

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

/**
 * What a target remembers, workflow by workflow. What it remembers as a whole follows from that: a target counts the
 * failures of all its workflows, waits for the latest of their deadlines, and is blocked if one of them is.
 *
 * @param workflows by workflow id; those with nothing to remember are left out
 */
public record TargetMemory(SortedMap<String, WorkflowMemory> workflows) {

    /** Nothing to remember. */
    public static final TargetMemory NONE = new TargetMemory(new TreeMap<>());

    /** Copies the map. */
    public TargetMemory {
        TreeMap<String, WorkflowMemory> copy = new TreeMap<>(workflows);
        copy.values().removeIf(WorkflowMemory::isEmpty);
        workflows = Collections.unmodifiableSortedMap(copy);
    }

    /** Whether nothing is left to remember. */
    public boolean isEmpty() {
        return workflows.isEmpty();
    }

    /** Whether there is a failure that a person could clear. */
    public boolean hasFailures() {
        return !equals(withoutFailures());
    }

    /** How many executions in a row could not start, as far as {@code workflow} is concerned. */
    public int failures(FailureScope scope, String workflow) {
        long failures = 0;
        for (Map.Entry<String, WorkflowMemory> each : workflows.entrySet()) {
            if (concerns(scope, workflow, each.getKey())
                    && each.getValue().retry().isPresent()) {
                failures += each.getValue().retry().get().failures();
            }
        }
        return (int) Math.min(failures, Integer.MAX_VALUE);
    }

    /** The failure to start with the latest deadline, as far as {@code workflow} is concerned. */
    public Optional<Retry> retry(FailureScope scope, String workflow) {
        Optional<Retry> latest = Optional.empty();
        for (Map.Entry<String, WorkflowMemory> each : workflows.entrySet()) {
            Optional<Retry> retry = each.getValue().retry();
            if (retry.isPresent()
                    && concerns(scope, workflow, each.getKey())
                    && (latest.isEmpty()
                            || retry.get().nextAllowed().isAfter(latest.get().nextAllowed()))) {
                latest = retry;
            }
        }
        return latest;
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
        return workflows.values().stream()
                .map(WorkflowMemory::last)
                .flatMap(Optional::stream)
                .max(Comparator.comparing(Past::at));
    }

    TargetMemory couldNotStart(Past past, Instant nextAllowed) {
        return with(past.workflow(), of(past.workflow()).couldNotStart(past, nextAllowed));
    }

    TargetMemory blockedBy(Past past) {
        return with(past.workflow(), of(past.workflow()).blockedBy(past));
    }

    /** A success ends the series of failures of everything that it concerns. */
    TargetMemory completedBy(Past past, FailureScope scope) {
        TargetMemory reset = scope == FailureScope.TARGET ? each(WorkflowMemory::withoutRetry) : this;
        return reset.with(past.workflow(), reset.of(past.workflow()).completedBy(past));
    }

    TargetMemory withoutFailures() {
        return each(WorkflowMemory::withoutFailures);
    }

    TargetMemory without(String uid) {
        return each(memory -> memory.without(uid));
    }

    TargetMemory expire(Duration cooldown, Instant now) {
        return each(memory -> memory.expire(cooldown, now));
    }

    private static boolean concerns(FailureScope scope, String workflow, String other) {
        return scope == FailureScope.TARGET || workflow.equals(other);
    }

    private TargetMemory with(String workflow, WorkflowMemory memory) {
        TreeMap<String, WorkflowMemory> changed = new TreeMap<>(workflows);
        changed.put(workflow, memory);
        return new TargetMemory(changed);
    }

    private TargetMemory each(UnaryOperator<WorkflowMemory> change) {
        TreeMap<String, WorkflowMemory> changed = new TreeMap<>(workflows);
        changed.replaceAll((workflow, memory) -> change.apply(memory));
        return new TargetMemory(changed);
    }
}
