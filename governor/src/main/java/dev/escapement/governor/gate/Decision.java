package dev.escapement.governor.gate;

import dev.escapement.governor.ledger.Holder;
import dev.escapement.governor.ledger.Past;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** The gate's answer. It keeps the question, so that the explanation costs nothing until somebody wants it. */
public sealed interface Decision {

    /** What was asked. */
    Question question();

    /** Every check, what it saw and what it said, and when the answer will change. */
    default Explanation explanation() {
        return Explanation.of(question());
    }

    /** It may run. */
    record Admit(Question question) implements Decision {}

    /**
     * It may not run.
     *
     * @param check the first check that found something
     * @param obstacle what it found
     * @param question what was asked
     */
    record Skip(GateCheck check, Obstacle obstacle, Question question) implements Decision {

        /** Why, as a code. */
        public SkipReason reason() {
            return check.reason();
        }

        /** Why, for a person: what is in the way, until when, and what to do. */
        public String message() {
            return SkipMessage.of(this);
        }

        /** The execution that holds the target, if that is the reason. */
        public Optional<Holder> conflicting() {
            return obstacle.holder();
        }

        /** The execution that ended and is the reason, if that is it. */
        public Optional<Past> recent() {
            return obstacle.past();
        }

        /**
         * From when on the same request is admitted if nothing else happens, exactly: not a nanosecond earlier. Empty
         * if that takes another execution's end or a person.
         */
        public Optional<Instant> allowedAt() {
            return Explanation.allowedAt(question);
        }

        /** The time until {@link #allowedAt}. */
        public Optional<Duration> remaining() {
            return allowedAt().map(at -> Duration.between(question.now(), at));
        }
    }
}
