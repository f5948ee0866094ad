package dev.escapement.governor.ledger;

import dev.escapement.governor.Policy;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.ExecutionOutcome.FailedBeforeExecution;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * The ledger entry of a target: its holder and its memory. Immutable; each transition returns the entry to store
 * instead. Only a free entry can be acquired and only a held one released, so two holders are impossible.
 */
public sealed interface LedgerEntry {

    /** How far the clocks of the machines that share a ledger may differ. */
    Duration MAX_CLOCK_SKEW = Duration.ofMinutes(1);

    Target target();

    /**
     * Increases with every acquisition and clearance, and never decreases. It follows the clock, so that it also
     * increases when an idle entry was removed and created again.
     */
    long epoch();

    TargetMemory memory();

    /** Returns the last clearance until it expires. */
    Optional<Clearance> clearance();

    /** Returns the entry of a target that has none stored: free, with an empty memory. */
    static Free initial(Target target) {
        return new Free(target, 0, TargetMemory.EMPTY, Optional.empty());
    }

    /** Returns the entry if this execution holds it. */
    default Optional<Held> heldBy(ExecutionRef execution) {
        return this instanceof Held held && held.holder().execution().hasUid(execution.uid())
                ? Optional.of(held)
                : Optional.empty();
    }

    /**
     * Removes every block and failure. Cooldowns remain.
     *
     * @return empty if there is nothing to clear
     */
    default Optional<LedgerEntry> clear(Clearance clearance) {
        return memory().hasFailures()
                ? Optional.of(withContents(
                        nextEpoch(epoch(), clearance.at()), memory().withoutFailures(), Optional.of(clearance)))
                : Optional.empty();
    }

    /** Removes a deleted execution from the memory if the policy says so. A holder must be released instead. */
    default LedgerEntry forget(ExecutionRef deleted, Policy policy) {
        return policy.resetOnDelete()
                ? withContents(epoch(), memory().withoutExecution(deleted.uid()), clearance())
                : this;
    }

    /** Removes cooldowns that have passed, and a clearance as old as a cooldown. */
    default LedgerEntry expire(Policy policy, Instant now) {
        return withContents(
                epoch(),
                memory().expire(policy.cooldown(), now),
                clearance().filter(given -> now.isBefore(given.at().plus(policy.cooldown()))));
    }

    /**
     * Returns whether the entry can be removed from the store: it is free, its memory is empty, and the clock is so far
     * past its epoch that a new entry gets a higher one, even on a machine whose clock is behind.
     */
    default boolean isIdle(Instant now) {
        return this instanceof Free
                && memory().isEmpty()
                && clearance().isEmpty()
                && now.minus(MAX_CLOCK_SKEW).toEpochMilli() > epoch();
    }

    /**
     * Returns whether a user must not remove the entry from the store: its target would count as free while an
     * execution holds it, or a failure would be cleared without a name and a reason.
     */
    default boolean isProtected() {
        return this instanceof Held || memory().hasFailures();
    }

    /** Returns the entry with other contents, free or held as before. */
    LedgerEntry withContents(long epoch, TargetMemory memory, Optional<Clearance> clearance);

    /**
     * Counts a request that failed validation, whoever holds the target. It counts for its workflow only, so that one
     * broken caller cannot hold back the others.
     */
    default LedgerEntry recordInvalidRequest(
            ExecutionRef execution, String workflow, String reason, Instant at, Policy policy) {
        int number = FailureStreak.nextNumber(memory().invalidRequests(workflow));
        EndedExecution ended = new EndedExecution(execution, workflow, at, reason, false);
        Optional<Instant> nextAllowed = drawDeadline(target(), execution, number, at, policy);
        return withContents(epoch(), memory().withInvalidRequest(ended, nextAllowed), clearance());
    }

    /** Returns how a request failed if it is the last invalid one of its workflow that was counted. */
    default Optional<FailedBeforeExecution> invalidRequestOutcome(ExecutionRef execution, String workflow) {
        return memory().invalidRequests(workflow)
                .filter(streak -> streak.last().execution().hasUid(execution.uid()))
                .map(streak -> new FailedBeforeExecution(
                        streak.last().reason(), streak.last().endedAt(), streak.failures(), streak.nextAllowed()));
    }

    /** Draws the deadline of a failure; empty if it reaches the limit, because then only a person ends the wait. */
    private static Optional<Instant> drawDeadline(
            Target target, ExecutionRef execution, int number, Instant at, Policy policy) {
        if (number >= policy.maxConsecutiveFailures()) {
            return Optional.empty();
        }
        String key = target.canonical() + "#" + execution.uid();
        Instant deadline = at.plus(policy.backoff().delay(number, key));
        // Whole milliseconds are readable in tables; rounding down would be too early.
        return Optional.of(deadline.plusNanos(999_999).truncatedTo(ChronoUnit.MILLIS));
    }

    private static long nextEpoch(long epoch, Instant now) {
        return Math.max(epoch + 1, now.toEpochMilli());
    }

    /** The entry of a target without a holder. */
    record Free(Target target, long epoch, TargetMemory memory, Optional<Clearance> clearance) implements LedgerEntry {

        /** Acquires the target for an execution and its prepared run. */
        public Held acquire(Holder holder) {
            return new Held(target, nextEpoch(epoch, holder.since()), memory, clearance, holder);
        }

        /** Acquires the target again for a run that was admitted before the entry was lost. */
        public Held reacquire(Holder earlier) {
            return acquire(earlier);
        }

        @Override
        public Free withContents(long newEpoch, TargetMemory newMemory, Optional<Clearance> newClearance) {
            return new Free(target, newEpoch, newMemory, newClearance);
        }
    }

    /** The entry of a target with a holder. */
    record Held(Target target, long epoch, TargetMemory memory, Optional<Clearance> clearance, Holder holder)
            implements LedgerEntry {

        /**
         * Returns the outcome of the holder if none of its steps started: the number of the failure and the deadline.
         * The jitter is keyed by target and execution, so that the deadline is the same if it is computed again after a
         * crash.
         */
        public FailedBeforeExecution failedStartOutcome(String reason, Instant at, Policy policy) {
            int number = FailureStreak.nextNumber(memory.failureStreak(policy.failureScope(), holder.workflow()));
            Optional<Instant> nextAllowed = drawDeadline(target, holder.execution(), number, at, policy);
            return new FailedBeforeExecution(reason, at, number, nextAllowed);
        }

        /** Returns the entry with another holder, which had acquired the target before the entry was lost. */
        public Held withHolder(Holder other) {
            return new Held(target, epoch + 1, memory, clearance, other);
        }

        /**
         * Releases the target and records the outcome in its memory.
         *
         * @param at when the execution ended
         * @throws IllegalArgumentException if the outcome was created for another instant: its deadline would be wrong
         */
        public Free release(ExecutionOutcome outcome, Instant at) {
            if (outcome instanceof FailedBeforeExecution failed
                    && !failed.failedAt().equals(at)) {
                throw new IllegalArgumentException(
                        "execution %s failed at %s, but is released at %s: both must be equal"
                                .formatted(holder.execution(), failed.failedAt(), at));
            }
            return new Free(target, epoch, recordOutcome(outcome, at), clearance);
        }

        private TargetMemory recordOutcome(ExecutionOutcome outcome, Instant at) {
            if (outcome instanceof ExecutionOutcome.Completed) {
                return memory.withCompleted(ended(at, "", false));
            } else if (outcome instanceof FailedBeforeExecution failed) {
                // A clearance after this failure covers it too.
                boolean cleared =
                        clearance.isPresent() && !at.isAfter(clearance.get().at());
                return cleared
                        ? memory
                        : memory.withFailedStart(ended(at, failed.reason(), false), failed.nextAllowed());
            } else if (outcome instanceof ExecutionOutcome.FailedDuringExecution failed) {
                return memory.withBlock(ended(at, failed.reason(), false));
            } else if (outcome instanceof ExecutionOutcome.Lost) {
                return memory.withBlock(ended(at, "Lost", true));
            }
            return memory;
        }

        private EndedExecution ended(Instant at, String reason, boolean afterDeletion) {
            return new EndedExecution(holder.execution(), holder.workflow(), at, reason, afterDeletion);
        }

        @Override
        public Held withContents(long newEpoch, TargetMemory newMemory, Optional<Clearance> newClearance) {
            return new Held(target, newEpoch, newMemory, newClearance, holder);
        }
    }
}
