package dev.escapement.governor.gate;

import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.ExecutionRef;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A request to run a workflow on a target.
 *
 * @param createdAt orders the requests for a target, together with the name
 * @param waitTerms how long it may wait to be admitted; empty if it is skipped instead
 */
public record GateRequest(
        ExecutionRef execution, String workflow, Target target, Instant createdAt, Optional<WaitTerms> waitTerms) {

    private static final Comparator<GateRequest> BY_AGE = Comparator.comparing(GateRequest::createdAt)
            .thenComparing(request -> request.execution().name())
            .thenComparing(request -> request.execution().namespace())
            .thenComparing(request -> request.execution().uid());

    /**
     * How a request waits.
     *
     * @param until from then on it is skipped; a deadline of exactly now has passed
     * @param queued whether it waits already: then it keeps its place, however long the queue is
     */
    public record WaitTerms(Instant until, boolean queued) {

        boolean isOver(Instant now) {
            return !now.isBefore(until);
        }
    }

    /** Creates a request that does not wait and is younger than every other. */
    public GateRequest(ExecutionRef execution, String workflow, Target target) {
        this(execution, workflow, target, Instant.MAX, Optional.empty());
    }

    boolean isOlderThan(GateRequest other) {
        return BY_AGE.compare(this, other) < 0;
    }

    /**
     * Returns the oldest request of each workflow, oldest first. After a change of a target only these can be admitted:
     * for the gate the requests of one workflow differ in their age only.
     */
    public static List<GateRequest> oldestOfEachWorkflow(Collection<GateRequest> requests) {
        Map<String, GateRequest> oldest = new LinkedHashMap<>();
        requests.stream().sorted(BY_AGE).forEach(request -> oldest.putIfAbsent(request.workflow(), request));
        return List.copyOf(oldest.values());
    }

    /** Returns whether this request waits and its time is not over. */
    boolean isWaiting(Instant now) {
        return waitTerms.isPresent() && !waitTerms.get().isOver(now);
    }
}
