package dev.escapement.governor.plan;

/**
 * A candidate that was not taken.
 *
 * @param candidate what was not taken
 * @param reason the rule
 */
public record RejectedCandidate(RunCandidate candidate, Reason reason) {

    /** The rules by which candidates fall, in words for people. */
    public enum Reason {
        /** An expired hint does nothing. */
        EXPIRED("it has expired"),
        /** A one-shot hint is good for one run. */
        ANSWERED("a run at or after its time has answered it"),
        /** The hint's own next beat is not its own any more. */
        EXPIRES_FIRST("it expires before that"),
        /** An interval hint replaces baseline and backoff as long as it lasts. */
        REPLACED("an interval hint stands in for it"),
        /** The earliest of what is left is taken. */
        NOT_THE_EARLIEST("another comes first"),
        /** Nothing runs during a pause. */
        PAUSED("the endpoint is paused");

        private final String description;

        Reason(String words) {
            this.description = words;
        }

        /** For people. */
        public String description() {
            return description;
        }
    }

    /** What was rejected and why, in words. */
    public String explain() {
        return "%s at %s (%s): %s"
                .formatted(candidate.source().description(), candidate.at(), candidate.basis(), reason.description());
    }
}
