package dev.escapement.governor.ledger;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/** How an execution that held its target ended. */
public sealed interface ExecutionOutcome {

    /** It succeeded. */
    record Completed() implements ExecutionOutcome {}

    /**
     * It failed, and certainly none of its steps started, so it may be retried. Only a ledger entry creates one,
     * because the number and the deadline follow from the entry. The deadline is drawn once; the execution's status and
     * the ledger both take it from this value.
     */
    final class FailedBeforeExecution implements ExecutionOutcome {

        private final String reason;
        private final Instant failedAt;
        private final int consecutiveFailures;
        private final Optional<Instant> nextAllowed;

        FailedBeforeExecution(String reason, Instant failedAt, int consecutiveFailures, Optional<Instant> nextAllowed) {
            if (consecutiveFailures < 1) {
                throw new IllegalArgumentException(
                        "failure number " + consecutiveFailures + ": the first failure is number 1");
            }
            this.reason = reason;
            this.failedAt = failedAt;
            this.consecutiveFailures = consecutiveFailures;
            this.nextAllowed = nextAllowed;
        }

        /**
         * Returns an outcome that a ledger entry created before, from where it was stored. For stores only.
         *
         * @throws IllegalArgumentException if the number is less than 1
         */
        public static FailedBeforeExecution restore(
                String reason, Instant failedAt, int consecutiveFailures, Optional<Instant> nextAllowed) {
            return new FailedBeforeExecution(reason, failedAt, consecutiveFailures, nextAllowed);
        }

        /** Returns why it failed, as a code. */
        public String reason() {
            return reason;
        }

        /** Returns when it failed: the backoff counts from then. */
        public Instant failedAt() {
            return failedAt;
        }

        /** Returns the number of failures in a row, this one included. */
        public int consecutiveFailures() {
            return consecutiveFailures;
        }

        /** Returns the earliest next attempt; empty if this failure reached the limit: then a person must clear it. */
        public Optional<Instant> nextAllowed() {
            return nextAllowed;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof FailedBeforeExecution that
                    && reason.equals(that.reason)
                    && failedAt.equals(that.failedAt)
                    && consecutiveFailures == that.consecutiveFailures
                    && nextAllowed.equals(that.nextAllowed);
        }

        @Override
        public int hashCode() {
            return Objects.hash(reason, failedAt, consecutiveFailures, nextAllowed);
        }

        @Override
        public String toString() {
            return "failure %d in a row at %s (%s), next allowed: %s"
                    .formatted(
                            consecutiveFailures,
                            failedAt,
                            reason,
                            nextAllowed.map(Instant::toString).orElse("after a clearance"));
        }
    }

    /**
     * It failed, and a step started or may have: the target may be half changed.
     *
     * @param reason a code
     */
    record FailedDuringExecution(String reason) implements ExecutionOutcome {}

    /**
     * It was deleted while its run was active, or may have been. Deleting the execution does not reset this, because
     * that has already happened.
     */
    record Lost() implements ExecutionOutcome {}

    /**
     * It was skipped, cancelled or deleted while it was being admitted, and certainly never started. The ledger does
     * not remember it.
     */
    record Withdrawn() implements ExecutionOutcome {}
}
