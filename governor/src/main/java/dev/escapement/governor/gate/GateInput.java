package dev.escapement.governor.gate;

import dev.escapement.governor.FailureScope;
import dev.escapement.governor.Policy;
import dev.escapement.governor.ledger.EndedExecution;
import dev.escapement.governor.ledger.FailureStreak;
import dev.escapement.governor.ledger.LedgerEntry;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Everything that a decision depends on.
 *
 * @param entry the ledger entry of the request's target
 * @param waiting the requests that wait for the target, in any order; it may contain this one, and ended ones
 */
public record GateInput(GateRequest request, LedgerEntry entry, Policy policy, Instant now, List<GateRequest> waiting) {

    /** Creates an input without a queue. */
    public GateInput(GateRequest request, LedgerEntry entry, Policy policy, Instant now) {
        this(request, entry, policy, now, List.of());
    }

    /** Rejects an entry of another target. */
    public GateInput {
        if (!entry.target().equals(request.target())) {
            throw new IllegalArgumentException("the request is for target %s, the ledger entry is of target %s"
                    .formatted(request.target(), entry.target()));
        }
    }

    /** Returns the older requests that wait for the target, in any order. */
    Stream<GateRequest> waitingAhead() {
        return waiting.stream().filter(other -> other.isWaiting(now) && other.isOlderThan(request));
    }

    /** Returns an older request that waits and could be admitted now. */
    Optional<GateRequest> admissibleAhead() {
        return waitingAhead()
                .filter(other -> Gate.findObstacle(new GateInput(other, entry, policy, now))
                        .isEmpty())
                .findFirst();
    }

    /** Returns the execution that ran, failed and blocks the requested workflow. */
    Optional<EndedExecution> block() {
        return entry.memory().block(policy.blockScope(), request.workflow());
    }

    /**
     * Returns the series of failures that holds the requested workflow back the longest: of executions that could not
     * start, or of invalid requests of this workflow.
     */
    Optional<FailureStreak> failureStreak() {
        Optional<FailureStreak> starts = entry.memory().failureStreak(policy.failureScope(), request.workflow());
        Optional<FailureStreak> invalid = entry.memory().invalidRequests(request.workflow());
        return invalid.isPresent() && (starts.isEmpty() || outlasts(invalid.get(), starts.get())) ? invalid : starts;
    }

    private boolean outlasts(FailureStreak one, FailureStreak other) {
        if (isExhausted(one) || isExhausted(other)) {
            return !isExhausted(other);
        }
        return one.nextAllowed().orElse(Instant.MIN).isAfter(other.nextAllowed().orElse(Instant.MIN));
    }

    boolean isExhausted(FailureStreak streak) {
        return streak.failures() >= policy.maxConsecutiveFailures();
    }

    /** Returns what {@link #failureStreak} holds back. */
    FailureScope failureScope() {
        Optional<FailureStreak> streak = failureStreak();
        boolean invalid = streak.isPresent() && streak.equals(entry.memory().invalidRequests(request.workflow()));
        return invalid ? FailureScope.WORKFLOW : policy.failureScope();
    }

    int consecutiveFailures() {
        Optional<FailureStreak> streak = failureStreak();
        return streak.isPresent() ? streak.get().failures() : 0;
    }

    Optional<EndedExecution> lastCompleted() {
        return entry.memory().lastCompleted(request.workflow());
    }
}
