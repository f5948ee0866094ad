package dev.escapement.governor.plan;

/** A candidate that was not selected, and why. */
public record RejectedCandidate(RunCandidate candidate, Reason reason) {

    public enum Reason {
        EXPIRED("it has expired"),
        ANSWERED("a run at or after its time has fulfilled it"),
        EXPIRES_FIRST("it expires before that"),
        /** An interval hint replaces baseline and backoff until it expires. */
        REPLACED("an interval hint replaces it"),
        NOT_THE_EARLIEST("another is earlier"),
        PAUSED("the endpoint is paused");

        private final String description;

        Reason(String description) {
            this.description = description;
        }

        public String description() {
            return description;
        }
    }

    /** Describes the candidate and the reason for people. */
    public String explain() {
        return "%s at %s (%s): %s"
                .formatted(candidate.source().description(), candidate.at(), candidate.basis(), reason.description());
    }
}
