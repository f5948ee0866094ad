package dev.escapement.governor.gate;

import dev.escapement.governor.ledger.Holder;
import dev.escapement.governor.ledger.LedgerEntry;
import java.time.Instant;
import java.util.Optional;

/** The decision of the gate. It keeps its input, so that an explanation is computed only on demand. */
public sealed interface GateDecision {

    GateInput input();

    /** Returns the result of every check, and when the decision will change. */
    default GateExplanation explanation() {
        return GateExplanation.of(input());
    }

    /** The execution may run. */
    record Admit(GateInput input) implements GateDecision {

        /**
         * Acquires the target for the admitted execution, from now on. The entry to store is the one that was decided
         * about: if it has changed in the store, decide again.
         *
         * @param runUid the uid of its prepared run; empty if no run could be prepared
         * @param runName the name of that run; empty if there is none
         * @throws IllegalStateException if the execution holds the target already
         */
        public LedgerEntry.Held acquire(String runUid, String runName) {
            GateRequest request = input.request();
            if (!(input.entry() instanceof LedgerEntry.Free free)) {
                throw new IllegalStateException(
                        "execution " + request.execution() + " already holds " + request.target());
            }
            return free.acquire(new Holder(request.execution(), request.workflow(), runUid, runName, input.now()));
        }
    }

    /**
     * The execution may not run.
     *
     * @param check the first check that found an obstacle; of several obstacles that pass with time, the one that ends
     *     last
     */
    record Skip(GateCheck check, Obstacle obstacle, GateInput input) implements GateDecision {

        public SkipReason reason() {
            return check.reason();
        }

        /** Describes the obstacle, its end and what to do, for a person. */
        public String message() {
            return CheckText.skipMessage(this);
        }

        boolean endsBefore(Skip other) {
            return obstacle.until()
                    .orElse(Instant.MAX)
                    .isBefore(other.obstacle.until().orElse(Instant.MAX));
        }

        /** Returns everything that must happen before the same request is admitted. */
        public RetryCondition retryCondition() {
            return RetryCondition.of(input);
        }

        /**
         * Returns the exact instant from which the same request is admitted if nothing else happens; empty if that
         * requires the end of another execution, or a person: see {@link #retryCondition}.
         */
        public Optional<Instant> allowedAt() {
            return switch (check) {
                case QUEUE_HAS_ROOM -> Optional.empty();
                case WAIT_IS_NOT_OVER -> Optional.of(input.now());
                default -> retryCondition().allowedAt();
            };
        }
    }

    /**
     * The execution may not run yet and waits.
     *
     * @param cause what is in the way now
     */
    record Wait(Skip cause, GateInput input) implements GateDecision {

        /** Returns when the execution is skipped if it was not admitted before. */
        public Instant until() {
            return input.request().waitTerms().orElseThrow().until();
        }

        /** Returns the number of older requests that wait for the target. */
        public int ahead() {
            return (int) input.waitingAhead().count();
        }

        /**
         * Returns when to decide again if nothing else happens: at its own deadline, or when a cooldown or a backoff
         * ends. Of several requests for one workflow only the oldest looks then, because no other could be admitted.
         */
        public Instant decideAgainAt() {
            boolean isFirst = input.waitingAhead()
                    .noneMatch(other -> other.workflow().equals(input.request().workflow()));
            return cause.allowedAt()
                    .filter(at -> isFirst && at.isBefore(until()))
                    .orElse(until());
        }

        /** Describes what it waits for and until when, for a person. Stays true while it waits. */
        public String message() {
            return CheckText.waitMessage(this);
        }
    }
}
