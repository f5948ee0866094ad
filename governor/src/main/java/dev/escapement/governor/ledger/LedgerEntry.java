package dev.escapement.governor.ledger;

import dev.escapement.governor.Policy;
import dev.escapement.governor.Target;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * The one entry of a target: who holds it, and what is remembered. A value; each transition returns the entry to store
 * in its place. Only a free entry can be acquired and only a held one released, so that two holders cannot be
 * expressed.
 */
public sealed interface LedgerEntry {

    /** How far the clocks of the machines that share a ledger may differ without harm to the epoch. */
    Duration MAX_CLOCK_SKEW = Duration.ofMinutes(1);

    /** Whose entry this is. */
    Target target();

    /**
     * Grows with every acquisition and every clearance, and never falls: also not when an idle entry was removed and
     * made anew, because it follows the clock (as long as clocks differ by less than the cooldown, which an entry
     * outlives).
     */
    long epoch();

    /** What happened before. */
    TargetMemory memory();

    /** The last clearance, while it is still of interest. */
    Optional<Clearance> clearance();

    /** The entry of a target that has none: free, and nothing is remembered. */
    static Free initial(Target target) {
        return new Free(target, 0, TargetMemory.EMPTY, Optional.empty());
    }

    /** The entry as held by this execution, if it is. */
    default Optional<Held> heldBy(ExecutionRef execution) {
        return this instanceof Held held && held.holder().execution().hasUid(execution.uid())
                ? Optional.of(held)
                : Optional.empty();
    }

    /**
     * Lifts every block and forgets every failure, as a fresh start. Completed executions still cool down.
     *
     * @return empty if there is nothing to clear
     */
    default Optional<LedgerEntry> clear(Clearance clearance) {
        return memory().hasFailures()
                ? Optional.of(withContents(
                        nextEpoch(epoch(), clearance.at()), memory().withoutFailures(), Optional.of(clearance)))
                : Optional.empty();
    }

    /** Forgets an execution that was deleted, if the policy has it so. A holder is not forgotten: it is released. */
    default LedgerEntry forget(ExecutionRef deleted, Policy policy) {
        return policy.resetOnDelete()
                ? withContents(epoch(), memory().withoutExecution(deleted.uid()), clearance())
                : this;
    }

    /** Drops what no longer matters: cooldowns that are over, and the clearance when it is as old. */
    default LedgerEntry expire(Policy policy, Instant now) {
        return withContents(
                epoch(),
                memory().expire(policy.cooldown(), now),
                clearance().filter(past -> now.isBefore(past.at().plus(policy.cooldown()))));
    }

    /**
     * Whether the entry can be removed from the store: it holds nothing, remembers nothing, and the clock is so far
     * past its epoch that an entry made anew gets a higher one, even on a machine whose clock is behind.
     */
    default boolean isIdle(Instant now) {
        return this instanceof Free
                && memory().isEmpty()
                && clearance().isEmpty()
                && now.minus(MAX_CLOCK_SKEW).toEpochMilli() > epoch();
    }

    /** The same entry with other contents, as free or held as it was. */
    LedgerEntry withContents(long epoch, TargetMemory memory, Optional<Clearance> clearance);

    private static long nextEpoch(long epoch, Instant now) {
        return Math.max(epoch + 1, now.toEpochMilli());
    }

    /** Nobody holds the target. */
    record Free(Target target, long epoch, TargetMemory memory, Optional<Clearance> clearance) implements LedgerEntry {

        /** Takes the target for one execution and one prepared run of it. */
        public Held acquire(Holder holder) {
            return new Held(target, nextEpoch(epoch, holder.since()), memory, clearance, holder);
        }

        @Override
        public Free withContents(long newEpoch, TargetMemory newMemory, Optional<Clearance> newClearance) {
            return new Free(target, newEpoch, newMemory, newClearance);
        }
    }

    /** One execution holds the target. */
    record Held(Target target, long epoch, TargetMemory memory, Optional<Clearance> clearance, Holder holder)
            implements LedgerEntry {

        /**
         * The outcome of the holder if no step of it ever started: the number of the failure and the deadline, drawn
         * here and never again. The jitter is keyed by target and execution, so that whoever computes it again after a
         * crash gets the same deadline.
         */
        public ExecutionOutcome.FailedBeforeExecution failedStartOutcome(String reason, Instant at, Policy policy) {
            int before = memory.consecutiveFailures(policy.failureScope(), holder.workflow());
            int number = before == Integer.MAX_VALUE ? before : before + 1;
            String key = target.canonical() + "#" + holder.execution().uid();
            return new ExecutionOutcome.FailedBeforeExecution(
                    reason, number, roundUpToMillis(at.plus(policy.backoff().delay(number, key))));
        }

        /** In whole milliseconds, because people read it in tables; not rounded down, because that were too soon. */
        private static Instant roundUpToMillis(Instant deadline) {
            return deadline.plusNanos(999_999).truncatedTo(ChronoUnit.MILLIS);
        }

        /** Gives the target back and remembers how it went. */
        public Free release(ExecutionOutcome outcome, Instant at) {
            return new Free(target, epoch, recordOutcome(outcome, at), clearance);
        }

        private TargetMemory recordOutcome(ExecutionOutcome outcome, Instant at) {
            if (outcome instanceof ExecutionOutcome.Completed) {
                return memory.withCompleted(endedExecution(at, ""));
            } else if (outcome instanceof ExecutionOutcome.FailedBeforeExecution failed) {
                // A person who cleared the target after this failure meant it too: a clearance is a fresh start.
                boolean cleared =
                        clearance.isPresent() && !at.isAfter(clearance.get().at());
                return cleared
                        ? memory
                        : memory.withFailedStart(endedExecution(at, failed.reason()), failed.nextAllowed());
            } else if (outcome instanceof ExecutionOutcome.FailedDuringExecution failed) {
                return memory.withBlock(endedExecution(at, failed.reason()));
            } else if (outcome instanceof ExecutionOutcome.Lost) {
                return memory.withBlock(endedExecution(at, "Lost").asRecordedAfterDeletion());
            }
            return memory;
        }

        private EndedExecution endedExecution(Instant at, String reason) {
            return new EndedExecution(holder.execution(), holder.workflow(), at, reason);
        }

        @Override
        public Held withContents(long newEpoch, TargetMemory newMemory, Optional<Clearance> newClearance) {
            return new Held(target, newEpoch, newMemory, newClearance, holder);
        }
    }
}
