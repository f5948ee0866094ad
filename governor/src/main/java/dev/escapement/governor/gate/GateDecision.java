package dev.escapement.governor.gate;

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
    record Admit(GateInput input) implements GateDecision {}

    /**
     * The execution may not run.
     *
     * @param check the first check that found an obstacle
     */
    record Skip(GateCheck check, Obstacle obstacle, GateInput input) implements GateDecision {

        public SkipReason reason() {
            return check.reason();
        }

        /** Describes the obstacle, its end and what to do, for a person. */
        public String message() {
            return CheckText.skipMessage(this);
        }

        /**
         * Returns the exact instant from which the same request is admitted if nothing else happens; empty if that
         * requires the end of another execution, or a person.
         */
        public Optional<Instant> allowedAt() {
            return GateExplanation.allowedAt(input);
        }
    }
}
