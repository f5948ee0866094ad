package dev.escapement.governor.gate;

import dev.escapement.governor.ledger.EndedExecution;
import dev.escapement.governor.ledger.Holder;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** The gate's answer. It keeps the question, so that the explanation costs nothing until somebody wants it. */
public sealed interface GateDecision {

    /** What was asked. */
    GateInput input();

    /** Every check, what it saw and what it said, and when the answer will change. */
    default GateExplanation explanation() {
        return GateExplanation.of(input());
    }

    /** It may run. */
    record Admit(GateInput input) implements GateDecision {}

    /**
     * It may not run.
     *
     * @param check the first check that found something
     * @param obstacle what it found
     * @param input what was asked
     */
    record Skip(GateCheck check, Obstacle obstacle, GateInput input) implements GateDecision {

        /** Why, as a code. */
        public SkipReason reason() {
            return check.reason();
        }

        /** Why, for a person: what is in the way, until when, and what to do. */
        public String message() {
            return SkipMessage.of(this);
        }

        /** The execution that holds the target, if that is the reason. */
        public Optional<Holder> conflictingHolder() {
            return obstacle.holder();
        }

        /** The execution that ended and is the reason, if that is it. */
        public Optional<EndedExecution> recentExecution() {
            return obstacle.endedExecution();
        }

        /**
         * From when on the same request is admitted if nothing else happens, exactly: not a nanosecond earlier. Empty
         * if that takes another execution's end or a person.
         */
        public Optional<Instant> allowedAt() {
            return GateExplanation.allowedAt(input);
        }

        /** The time until {@link #allowedAt}. */
        public Optional<Duration> remainingWait() {
            return allowedAt().map(at -> Duration.between(input.now(), at));
        }
    }
}
